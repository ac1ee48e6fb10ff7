#include "history/path_glob.h"

#include <cstddef>
#include <vector>

namespace hwsift::history {
namespace {

// Whether each end of the path matches what is left of the pattern: places[i] is about path.substr(i).
using Places = std::vector<char>;

Places after_one(const Places& rest, std::string_view path, char wanted) {
  Places places(rest.size(), 0);
  for (std::size_t i = 0; i < path.size(); ++i) {
    bool fits = wanted == '?' ? path[i] != '/' : path[i] == wanted;
    places[i] = static_cast<char>(fits && rest[i + 1]);
  }
  return places;
}

Places after_star(const Places& rest, std::string_view path, bool over_folders) {
  Places places = rest;
  for (std::size_t i = path.size(); i-- > 0;)
    if (places[i + 1] && (over_folders || path[i] != '/')) places[i] = 1;
  return places;
}

// `**/`: nothing, or any folders with the slash behind them.
Places after_folders(const Places& rest, std::string_view path) {
  Places places(rest.size(), 0);
  bool below = false;
  for (std::size_t i = path.size(); i-- > 0;) {
    below = below || (path[i] == '/' && rest[i + 1]);
    places[i] = static_cast<char>(below || rest[i]);
  }
  places[path.size()] = rest[path.size()];
  return places;
}

bool begins_part(std::string_view pattern, std::size_t at) { return at == 0 || pattern[at - 1] == '/'; }

}  // namespace

bool path_glob_matches(std::string_view pattern, std::string_view path) {
  Places places(path.size() + 1, 0);
  places[path.size()] = 1;
  for (std::size_t end = pattern.size(); end > 0;) {
    std::string_view left = pattern.substr(0, end);
    if (left.ends_with("**/") && begins_part(pattern, end - 3)) {
      places = after_folders(places, path);
      end -= 3;
    } else if (left.ends_with("**")) {
      places = after_star(places, path, true);
      end -= 2;
    } else {
      places = left.back() == '*' ? after_star(places, path, false) : after_one(places, path, left.back());
      --end;
    }
  }
  return places[0] != 0;
}

bool is_path_glob(std::string_view pattern) { return pattern.find_first_of("*?") != std::string_view::npos; }

}  // namespace hwsift::history

#include "classifier/vocabulary.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "base/text.h"
#include "tests/fake_disk.h"

namespace hwsift::classifier {
namespace {

using analyzer::UseKind;

constexpr const char* kDevices =
    "version: 7\n"
    "devices:\n"
    "  - {name: cpu, category: CPU, accelerator: false}\n"
    "  - {name: cuda, category: CUDA, members: [cuda, is_cuda]}\n";

FakeDisk disk_with(const std::string& symbols) {
  FakeDisk disk;
  disk.files["/rules/devices.yaml"] = kDevices;
  disk.files["/rules/symbols/a.yaml"] = symbols;
  return disk;
}

Vocabulary loaded(const std::string& symbols) {
  FakeDisk disk = disk_with(symbols);
  Result<Vocabulary> vocabulary = load_vocabulary(disk, "/rules");
  EXPECT_TRUE(vocabulary.ok()) << to_string(vocabulary.error());
  return vocabulary.ok() ? *vocabulary : Vocabulary{};
}

std::string error_of(FakeDisk disk) {
  Result<Vocabulary> vocabulary = load_vocabulary(disk, "/rules");
  return vocabulary.ok() ? "no error" : to_string(vocabulary.error());
}

std::string name_found(const Vocabulary& vocabulary, const std::string& name) {
  const Symbol* symbol = vocabulary.find(name);
  return symbol == nullptr ? "" : symbol->name;
}

TEST(LoadVocabulary, ReadsDevicesAndSymbols) {
  Vocabulary vocabulary = loaded(
      "module: torch.cuda\n"
      "symbols:\n"
      "  - {names: [synchronize, Event], kind: api, says: requires_accelerator, devices: [cuda], twin: t, "
      "since: '2.6', until: '2.9'}\n"
      "  - {name: '', kind: api, says: requires_device, devices: [cuda], prefix: true}\n");
  ASSERT_EQ(vocabulary.symbols.size(), 3u);
  const Symbol& event = vocabulary.symbols[1];
  EXPECT_EQ(event.name, "torch.cuda.Event");
  EXPECT_EQ(event.kind, UseKind::api);
  EXPECT_EQ(event.meaning, Meaning::requires_accelerator);
  EXPECT_EQ(event.devices, std::vector<std::string>{"cuda"});
  EXPECT_EQ(event.twin, "t");
  EXPECT_EQ(event.since, "2.6");
  EXPECT_EQ(event.until, "2.9");
  EXPECT_TRUE(vocabulary.symbols[0].prefix);
  ASSERT_NE(vocabulary.device("cuda"), nullptr);
  EXPECT_EQ(vocabulary.device("cuda")->members, (std::vector<std::string>{"cuda", "is_cuda"}));
  EXPECT_FALSE(vocabulary.device("cpu")->accelerator);
  EXPECT_EQ(vocabulary.device("tpu"), nullptr);
}

TEST(LoadVocabulary, OtherModulesHandOutTheSameNames) {
  Vocabulary vocabulary =
      loaded("module: a\nalso: [b.c]\nsymbols:\n  - {name: X, kind: flag, says: neutral}\n");
  EXPECT_EQ(name_found(vocabulary, "a.X"), "a.X");
  EXPECT_EQ(name_found(vocabulary, "b.c.X"), "b.c.X");
}

TEST(LoadVocabulary, ReadsWhatElseASymbolNeeds) {
  Vocabulary vocabulary = loaded(
      "module: a\nsymbols:\n"
      "  - {name: four, kind: decorator, says: neutral, needs: {count: 4}}\n"
      "  - {name: given, kind: decorator, says: neutral, needs: {count: argument}}\n"
      "  - {name: both, kind: flag, says: neutral, needs: {library: cudnn, capability: sm80}}\n"
      "  - {name: none, kind: flag, says: neutral}\n");
  const Need& four = vocabulary.find("a.four")->need;
  EXPECT_EQ(std::tie(four.count, four.count_from_argument), std::make_tuple(4, false));
  const Need& given = vocabulary.find("a.given")->need;
  EXPECT_EQ(std::tie(given.count, given.count_from_argument), std::make_tuple(0, true));
  const Need& both = vocabulary.find("a.both")->need;
  EXPECT_EQ(std::tie(both.library, both.capability), std::make_tuple("cudnn", "sm80"));
  EXPECT_TRUE(vocabulary.find("a.none")->need.library.empty());
}

TEST(LoadVocabulary, ABadNeedNamesItsPlace) {
  auto error_with = [](const std::string& keys) {
    return error_of(
        disk_with("module: a\nsymbols:\n  - name: X\n    kind: flag\n    says: neutral\n    " + keys + "\n"));
  };
  EXPECT_EQ(error_with("needs: {libary: cudnn}"),
            "/rules/symbols/a.yaml:6: unknown key 'libary' (did you mean 'library'?)");
  for (const char* keys : {"needs: {count: many}", "needs: {count: 0}", "needs: {count: -1}", "needs: cudnn",
                           "needs: {count: [argument]}"})
    EXPECT_EQ(error_with(keys).substr(0, 24), "/rules/symbols/a.yaml:6:") << keys << error_with(keys);
}

TEST(LoadVocabulary, AGuardAndAContextManagerAreCallsAndKeepTheirWord) {
  Vocabulary vocabulary = loaded(
      "module: torch.testing._internal.x\nsymbols:\n"
      "  - {name: has_it, kind: guard, says: neutral}\n"
      "  - {name: tf32_on, kind: context_manager, says: neutral}\n");
  const Symbol* guard = vocabulary.find("has_it");
  ASSERT_NE(guard, nullptr) << "known by its last word";
  EXPECT_EQ(guard->kind, UseKind::call);
  EXPECT_EQ(guard->kind_word, "guard");
  EXPECT_EQ(guard->module, "torch.testing._internal.x");
  EXPECT_EQ(vocabulary.find("tf32_on")->kind_word, "context_manager");
}

TEST(LoadVocabulary, AGuardOfTheFrameworkItselfIsNotKnownByItsLastWord) {
  Vocabulary vocabulary =
      loaded("module: torch.cuda\nsymbols:\n  - {name: is_available, kind: guard, says: neutral}\n");
  EXPECT_EQ(name_found(vocabulary, "is_available"), "");
  EXPECT_EQ(vocabulary.find("torch.cuda.is_available")->kind, UseKind::api);
}

TEST(LoadVocabulary, WhatOnlySoundsLikeHardwareIsFoundAndNotLookedFor) {
  Vocabulary vocabulary =
      loaded("module: a\nsymbols:\n  - {name: device, kind: call, says: neutral, recorded: false}\n");
  EXPECT_EQ(name_found(vocabulary, "a.device"), "a.device");
  EXPECT_EQ(name_found(vocabulary, "device"), "") << "an everyday word";
  EXPECT_TRUE(vocabulary.lexicon().names.empty());
  EXPECT_TRUE(vocabulary.lexicon().last_words.empty());
  EXPECT_NE(error_of(disk_with("module: a\nsymbols:\n  - {name: X, kind: flag, says: selects_device, "
                               "recorded: false}\n"))
                .find("a.yaml:3: recorded: false, but says more than neutral"),
            std::string::npos);
}

TEST(LoadVocabulary, BuildsAreDeviceTypesAndPackagesAreMarkedForTheWholeFile) {
  Vocabulary vocabulary = loaded(
      "module: a\npackage: true\nsymbols:\n"
      "  - {name: X, kind: flag, says: neutral, build: cuda}\n  - {name: Y, kind: flag, says: neutral, "
      "build: mpi}\n");
  EXPECT_EQ(vocabulary.find("a.X")->build, "cuda");
  EXPECT_TRUE(vocabulary.find("a.Y")->package);
  EXPECT_EQ(
      error_of(disk_with("module: a\nsymbols:\n  - {name: X, kind: flag, says: neutral, build: cudaa}\n")),
      "/rules/symbols/a.yaml:3: unknown device type 'cudaa' (did you mean 'cuda'?)");
}

TEST(LoadVocabulary, VersionFollowsTheContent) {
  std::string one = loaded("module: a\nsymbols:\n  - {name: X, kind: flag, says: neutral}\n").version;
  std::string two = loaded("module: a\nsymbols:\n  - {name: Y, kind: flag, says: neutral}\n").version;
  EXPECT_EQ(one.substr(0, 2), "7-");
  EXPECT_EQ(one.size(), 10u);
  EXPECT_NE(one, two);
}

TEST(LoadVocabulary, AnUnknownKeyNamesFileLineAndKey) {
  EXPECT_EQ(error_of(disk_with(
                "module: a\nsymbols:\n  - name: X\n    kind: flag\n    says: neutral\n    twinn: Y\n")),
            "/rules/symbols/a.yaml:6: unknown key 'twinn' (did you mean 'twin'?)");
}

TEST(LoadVocabulary, ABadWordNamesTheKnownOnes) {
  EXPECT_EQ(error_of(disk_with("module: a\nsymbols:\n  - {name: X, kind: flagg, says: neutral}\n")),
            "/rules/symbols/a.yaml:3: unknown kind 'flagg' (one of: api, decorator, flag, guard, constant, "
            "base_class, context_manager, call, import)");
  EXPECT_NE(error_of(disk_with("module: a\nsymbols:\n  - {name: X, kind: flag, says: maybe}\n"))
                .find("unknown says"),
            std::string::npos);
}

TEST(LoadVocabulary, AnUnknownDeviceIsAnError) {
  EXPECT_EQ(error_of(disk_with(
                "module: a\nsymbols:\n  - {name: X, kind: flag, says: neutral, devices: [cudaa]}\n")),
            "/rules/symbols/a.yaml:3: unknown device type 'cudaa' (did you mean 'cuda'?)");
  EXPECT_NE(error_of(disk_with("module: a\nsymbols:\n  - {name: X, kind: flag, says: requires_device}\n"))
                .find("names no devices"),
            std::string::npos);
}

TEST(LoadVocabulary, ADoubledNameNamesBothPlaces) {
  FakeDisk disk = disk_with("module: a\nsymbols:\n  - {name: X, kind: flag, says: neutral}\n");
  disk.files["/rules/symbols/b.yaml"] =
      "module: a\nsymbols:\n\n  - {names: [W, X], kind: flag, says: neutral}\n";
  EXPECT_EQ(
      error_of(disk),
      "/rules/symbols/b.yaml:4: the symbol 'a.X' stands twice (it stands at /rules/symbols/a.yaml:3 too)");
  FakeDisk twice = disk_with("module: a\nsymbols: []\n");
  twice.files["/rules/devices.yaml"] = "version: 1\ndevices:\n  - {name: cpu}\n  - {name: cpu}\n";
  EXPECT_NE(error_of(twice).find("devices.yaml:4: the device type 'cpu' stands twice"), std::string::npos);
}

TEST(LoadVocabulary, AllErrorsComeAtOnce) {
  FakeDisk disk = disk_with(
      "module: a\nsymbols:\n  - {kind: flag, says: neutral}\n  - {name: X, kind: no, says: neutral}\n");
  disk.files["/rules/symbols/b.yaml"] = "module: [\n";
  disk.files["/rules/symbols/c.txt"] = "not a rule file";
  std::string error = error_of(disk);
  EXPECT_EQ(error.find('\n'), std::string::npos) << "one line on a terminal";
  EXPECT_NE(error.find("a.yaml:3: an entry without a name"), std::string::npos);
  EXPECT_NE(error.find("; /rules/symbols/a.yaml:4: unknown kind"), std::string::npos);
  EXPECT_NE(error.find("; /rules/symbols/b.yaml:"), std::string::npos);
}

TEST(LoadVocabulary, ThePolicyIsReadSwitchBySwitch) {
  EXPECT_TRUE(loaded("module: a\nsymbols: []\n").policy.names_decide) << "without a file the answers stay";
  FakeDisk disk = disk_with("module: a\nsymbols: []\n");
  disk.files["/rules/policy.yaml"] = "names_decide: false\n";
  Result<Vocabulary> vocabulary = load_vocabulary(disk, "/rules");
  ASSERT_TRUE(vocabulary.ok());
  EXPECT_FALSE(vocabulary->policy.names_decide);
  EXPECT_TRUE(vocabulary->policy.follow_helpers);
  disk.files["/rules/policy.yaml"] = "names_decide: maybe\nname_decides: true\n";
  EXPECT_NE(error_of(disk).find("/rules/policy.yaml:1"), std::string::npos);
  EXPECT_NE(error_of(disk).find("/rules/policy.yaml:2"), std::string::npos);
}

TEST(LoadVocabulary, MissingFilesAreErrors) {
  FakeDisk empty;
  EXPECT_NE(error_of(empty).find("/rules/devices.yaml"), std::string::npos);
  FakeDisk unreadable = disk_with("module: a\nsymbols: []\n");
  unreadable.unreadable.insert("/rules/symbols/a.yaml");
  EXPECT_NE(error_of(unreadable).find("Permission denied"), std::string::npos);
}

Vocabulary with_symbols(const std::vector<Symbol>& symbols) {
  Vocabulary vocabulary;
  vocabulary.symbols = symbols;
  vocabulary.index();
  return vocabulary;
}

Symbol named(const std::string& name, UseKind kind, bool prefix = false) {
  Symbol symbol;
  symbol.name = name;
  symbol.kind = kind;
  symbol.prefix = prefix;
  return symbol;
}

TEST(FindSymbol, ExactBeatsPrefixBeatsLastWord) {
  Vocabulary vocabulary =
      with_symbols({named("t.cuda", UseKind::api, true), named("t.cuda.amp", UseKind::api, true),
                    named("t.cuda.Event", UseKind::api), named("u.only", UseKind::decorator)});
  EXPECT_EQ(name_found(vocabulary, "t.cuda.Event"), "t.cuda.Event");
  EXPECT_EQ(name_found(vocabulary, "t.cuda"), "t.cuda");
  EXPECT_EQ(name_found(vocabulary, "t.cuda.graph"), "t.cuda");
  EXPECT_EQ(name_found(vocabulary, "t.cuda.amp.autocast.x"), "t.cuda.amp");
  EXPECT_EQ(name_found(vocabulary, "t.cuda.only"), "t.cuda");
  EXPECT_EQ(name_found(vocabulary, "t.cudax"), "");
  EXPECT_EQ(name_found(vocabulary, ""), "");
}

TEST(FindSymbol, TheLastWordServesReExportsAndStarImports) {
  Vocabulary vocabulary =
      with_symbols({named("b.skip", UseKind::decorator), named("a.skip", UseKind::decorator),
                    named("t.is_available", UseKind::api)});
  EXPECT_EQ(name_found(vocabulary, "skip"), "a.skip");
  EXPECT_EQ(name_found(vocabulary, "elsewhere.skip"), "a.skip");
  EXPECT_EQ(name_found(vocabulary, "b.skip"), "b.skip");
  EXPECT_EQ(name_found(vocabulary, "is_available"), "") << "an API's last word says too little";
}

TEST(FindSymbol, TheSameNameInTwoModulesStaysApart) {
  const Vocabulary& vocabulary = builtin_vocabulary();
  EXPECT_EQ(name_found(vocabulary, "torch.testing._internal.inductor_utils.skipCUDAIf"),
            "torch.testing._internal.inductor_utils.skipCUDAIf");
  EXPECT_EQ(name_found(vocabulary, "torch.testing._internal.common_device_type.skipCUDAIf"),
            "torch.testing._internal.common_device_type.skipCUDAIf");
}

TEST(BuiltinVocabulary, IsWhatTheRulesSay) {
  Result<Vocabulary> rules = load_vocabulary(real_disk(), HWSIFT_RULES);
  ASSERT_TRUE(rules.ok()) << to_string(rules.error());
  const Vocabulary& builtin = builtin_vocabulary();
  EXPECT_EQ(builtin.version, rules->version);
  ASSERT_EQ(builtin.symbols.size(), rules->symbols.size());
  for (std::size_t i = 0; i < builtin.symbols.size(); ++i) {
    const Symbol& a = builtin.symbols[i];
    const Symbol& b = rules->symbols[i];
    EXPECT_EQ(std::tie(a.name, a.module, a.kind_word, a.kind, a.meaning, a.prefix, a.devices, a.twin, a.since,
                       a.until, a.build, a.package, a.recorded),
              std::tie(b.name, b.module, b.kind_word, b.kind, b.meaning, b.prefix, b.devices, b.twin, b.since,
                       b.until, b.build, b.package, b.recorded));
    EXPECT_EQ(std::tie(a.need.count, a.need.count_from_argument, a.need.library, a.need.capability),
              std::tie(b.need.count, b.need.count_from_argument, b.need.library, b.need.capability));
  }
  ASSERT_EQ(builtin.devices.size(), rules->devices.size());
  for (std::size_t i = 0; i < builtin.devices.size(); ++i) {
    const DeviceType& a = builtin.devices[i];
    const DeviceType& b = rules->devices[i];
    EXPECT_EQ(std::tie(a.name, a.category, a.accelerator, a.instantiated, a.members, a.words,
                       a.stands_for_any, a.literal, a.privateuse1),
              std::tie(b.name, b.category, b.accelerator, b.instantiated, b.members, b.words,
                       b.stands_for_any, b.literal, b.privateuse1));
  }
}

TEST(BuiltinVocabulary, KnowsTheSymbolsOfThePattern) {
  const Vocabulary& vocabulary = builtin_vocabulary();
  struct Expected {
    const char* name;
    Meaning meaning;
  };
  const Expected expected[] = {
      {"torch.cuda.CUDAGraph", Meaning::requires_device},
      {"torch.cuda.synchronize", Meaning::requires_accelerator},
      {"torch.xpu.synchronize", Meaning::requires_device},
      {"torch.accelerator.current_accelerator", Meaning::selects_device},
      {"torch.testing._internal.common_device_type.onlyCUDA", Meaning::restricts_variants},
      {"torch.testing._internal.common_device_type.skipCUDAIfRocm", Meaning::skips_variants},
      {"torch.testing._internal.common_device_type.dtypesIfCUDA", Meaning::neutral},
      {"torch.testing._internal.inductor_utils.GPU_TYPE", Meaning::selects_device},
      {"torch.testing._internal.common_fsdp.FSDPTest", Meaning::selects_device},
      {"torch.distributed.ProcessGroupNCCL.Options", Meaning::requires_device},
  };
  for (const Expected& row : expected) {
    const Symbol* symbol = vocabulary.find(row.name);
    ASSERT_NE(symbol, nullptr) << row.name;
    EXPECT_STREQ(word(symbol->meaning), word(row.meaning)) << row.name;
  }
}

TEST(Lexicon, HoldsWhatTheAnalyzerLooksFor) {
  analyzer::Lexicon lexicon = builtin_vocabulary().lexicon();
  std::set<std::string> types(lexicon.device_types.begin(), lexicon.device_types.end());
  EXPECT_EQ(types.count("cuda") + types.count("xpu") + types.count("cpu") + types.count("npu"), 4u);
  EXPECT_EQ(types.count("lazy"), 0u) << "an everyday word";
  EXPECT_EQ(types.count("privateuse1"), 0u) << "stands where a backend is registered";
  EXPECT_EQ(lexicon.members.at("is_cuda").devices, std::vector<std::string>{"cuda"});
  EXPECT_EQ(lexicon.prefixes.at("torch.cuda").kind, UseKind::api);
  EXPECT_EQ(lexicon.names.at("torch.testing._internal.common_utils.TEST_XPU").kind, UseKind::flag);
  EXPECT_EQ(lexicon.last_words.at("onlyCUDA").kind, UseKind::decorator);
  EXPECT_EQ(lexicon.last_words.count("is_available"), 0u);
}

}  // namespace
}  // namespace hwsift::classifier

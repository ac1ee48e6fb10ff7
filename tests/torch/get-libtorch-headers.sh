#!/usr/bin/env bash
# get-libtorch-headers.sh DIR: the headers of PyTorch 2.6.0, as Debian trixie packages them, in DIR/libtorch-2.6.0; prints
# that path. Nothing is done when it is there. Needs no root.
set -euo pipefail
dir=$(realpath -m "${1:?usage: get-libtorch-headers.sh DIR}")
headers=$dir/libtorch-2.6.0
if [ ! -d "$headers/torch" ]; then
  archive=${HWSIFT_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/*$' || true)}
  if [ -z "$archive" ]; then
    echo "get-libtorch-headers.sh: apt's configuration names no Debian archive: set HWSIFT_DEBIAN_MIRROR" >&2
    exit 2
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work"/{lists,cache}/partial "$work"/cache/archives/partial "$dir"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [arch=amd64$([ -f $keyring ] && echo " signed-by=$keyring")] $archive trixie main" > "$work/sources.list"
  own_apt=(apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
           -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=)
  "${own_apt[@]}" update >&2
  (cd "$work" && "${own_apt[@]}" download libtorch-dev:amd64 >&2)
  dpkg -x "$work"/libtorch-dev_2.6.0*.deb "$work/unpacked"
  rm -rf "$headers.part"
  cp -r "$work/unpacked/usr/include" "$headers.part"
  mv "$headers.part" "$headers"
fi
echo "$headers"

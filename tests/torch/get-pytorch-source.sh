#!/usr/bin/env bash
# get-pytorch-source.sh DIR: the source of PyTorch 2.6.0, as Debian trixie packages it, in DIR/pytorch-2.6.0; prints
# that path. Nothing is done when it is there. Needs no root.
set -euo pipefail
dir=$(realpath -m "${1:?usage: get-pytorch-source.sh DIR}")
source=$dir/pytorch-2.6.0
if [ ! -d "$source/test" ]; then
  archive=${HWSIFT_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/*$' || true)}
  if [ -z "$archive" ]; then
    echo "get-pytorch-source.sh: apt's configuration names no Debian archive: set HWSIFT_DEBIAN_MIRROR" >&2
    exit 2
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work"/{lists,cache}/partial "$work"/cache/archives/partial "$dir"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb-src $([ -f $keyring ] && echo "[signed-by=$keyring]") $archive trixie main" > "$work/sources.list"
  own_apt=(apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
           -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=)
  "${own_apt[@]}" update >&2
  (cd "$work" && "${own_apt[@]}" source --download-only pytorch >&2)
  rm -rf "$source.part"
  mkdir -p "$source.part"
  tar -xJf "$work"/pytorch_2.6.0*.orig.tar.xz -C "$source.part" --strip-components=1
  mv "$source.part" "$source"
fi
echo "$source"

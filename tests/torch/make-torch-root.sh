#!/usr/bin/env bash
# make-torch-root.sh SUITE DIR: a Debian root with a real PyTorch for the CPU in DIR/SUITE, and DIR/python-SUITE, a
# python3 that runs inside it and sees this machine's folders at their own paths; prints the latter's path.
#   trixie  PyTorch 2.6.0
#   forky   PyTorch 2.14.1, which has hw_classification
# 1.4 GB each, about a minute; nothing is done when it is there. Needs root, mmdebstrap and bubblewrap.
set -euo pipefail
usage='usage: make-torch-root.sh SUITE DIR'
suite=${1:?$usage}
dir=$(realpath -m "${2:?$usage}")
root=$dir/$suite
python=$dir/python-$suite
packages=python3,python3-torch,python3-setuptools,python3-pytest,python3-expecttest,python3-hypothesis,python3-scipy,python3-yaml,ca-certificates

debian_archive() {
  echo "${HWSIFT_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/*$')}"
}

make_root() {
  local archive
  archive=$(debian_archive)
  if [ -z "$archive" ]; then
    echo "make-torch-root.sh: apt's configuration names no Debian archive: set HWSIFT_DEBIAN_MIRROR, or HWSIFT_PYTHON to a python3 with torch" >&2
    exit 2
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "make-torch-root.sh: making a Debian root needs root: run as root, or set HWSIFT_PYTHON to a python3 with torch" >&2
    exit 2
  fi
  rm -rf "$root"
  mkdir -p "$dir"
  mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' --include="$packages" \
    "$suite" "$root" "deb $archive $suite main" >&2
  touch "$root/.complete"
}

# Every top folder of this machine that the suite does not bring itself is visible inside.
write_python() {
  cat > "$python.part" <<SCRIPT
#!/bin/sh
binds=
for d in /*; do
  case \$d in /bin|/boot|/dev|/etc|/lib*|/proc|/run|/sbin|/sys|/usr|/var) ;; *) binds="\$binds --bind \$d \$d" ;; esac
done
exec bwrap --bind "$root" / --dev-bind /dev /dev --proc /proc \$binds --bind /var/tmp /var/tmp \\
  --setenv PATH /usr/sbin:/usr/bin:/sbin:/bin --chdir "\$PWD" /usr/bin/python3 "\$@"
SCRIPT
  chmod +x "$python.part"
  mv "$python.part" "$python"
}

[ -e "$root/.complete" ] || make_root
[ -x "$python" ] || write_python
echo "$python"

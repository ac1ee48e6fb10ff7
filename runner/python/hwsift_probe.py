"""What hwsift asks a Python. The answer is one JSON object in a line on the descriptor that HWSIFT_CHANNEL names.

  find      whether torch and pytest are there
  devices   the same, and torch's devices
  wait      the same, without the names of devices, which would wake them; then pytest with the arguments that come
            back in a line {"arguments": [...]}
  health D  whether a device of type D still does what it is told
"""
import importlib.util
import json
import os
import sys


def package_version(name):
    try:
        from importlib.metadata import version
        return version(name)
    except Exception:
        return "unknown"


def find():
    answer = {"executable": sys.executable, "python": sys.version.split()[0]}
    for name in ("torch", "pytest"):
        if importlib.util.find_spec(name) is not None:
            answer[name] = package_version(name)
    return answer


def name_of(module, index):
    for ask in ("get_device_name", "get_device_properties"):
        try:
            told = getattr(module, ask)(index)
            return told if isinstance(told, str) else str(getattr(told, "name", ""))
        except Exception:
            continue
    return ""


def memory_of(module, index):
    try:
        return int(getattr(module.get_device_properties(index), "total_memory", 0))
    except Exception:
        return 0


def devices(torch, named):
    types = ["cuda", "xpu", "mps", "hpu", "mtia"]
    try:
        types.append(torch._C._get_privateuse1_backend_name())
    except Exception:
        pass
    try:
        first = torch.accelerator.current_accelerator()
        if first is not None:
            types.insert(0, first.type)
    except Exception:
        pass
    found = []
    for kind in dict.fromkeys(types):
        module = getattr(torch, kind, None)
        try:
            available = module is not None and bool(module.is_available())
            count = int(module.device_count()) if available and hasattr(module, "device_count") else int(available)
        except Exception:
            available, count = False, 0
        if available and count:
            told = {"name": name_of(module, 0), "memory": memory_of(module, 0)} if named else {}
            found.append({"type": kind, "count": count, **told})
    return found


def plugins():
    """The pytest plugins that are installed, as "name version"."""
    try:
        from importlib.metadata import distributions
        return sorted({f"{found.metadata['Name']} {found.version}" for found in distributions()
                       if any(entry.group == "pytest11" for entry in found.entry_points)})
    except Exception:  # a broken distribution beside the good ones
        return []


def describe(named):
    answer = find()
    if "torch" in answer:
        try:
            import torch
            answer["torch"] = str(torch.__version__)
            answer["hip"] = str(torch.version.hip or "")
            answer["cuda"] = str(torch.version.cuda or "")
            answer["devices"] = devices(torch, named)
        except BaseException as problem:  # a broken installation may raise anything
            answer["problem"] = f"{type(problem).__name__}: {problem}"
    return answer


def health(kind):
    """What is wrong with the device; "" where nothing is. A backend without kernels is no broken one."""
    try:
        import torch
        module = getattr(torch, kind, None)
        if hasattr(module, "is_available") and not module.is_available():
            return f"torch.{kind}.is_available() is false"
        torch.ones(2, device=kind).sum().item()
    except NotImplementedError:
        pass
    except BaseException as problem:
        return f"{type(problem).__name__}: {problem}"
    return ""


def become_pytest(channel):
    """As `python -m pytest` would be from here."""
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(channel, 1 << 16)
        if not part:  # hwsift needs this process no more
            os._exit(0)
        line += part
    import runpy
    sys.argv = ["pytest", *json.loads(line)["arguments"]]
    sys.path[0] = os.getcwd()
    runpy.run_module("pytest", run_name="__main__", alter_sys=True)


def main():
    channel = int(os.environ["HWSIFT_CHANNEL"])
    what = sys.argv[1]
    if what == "health":
        answer = {"health": health(sys.argv[2])}
    else:
        answer = find() if what == "find" else describe(named=what == "devices")
    if what == "devices":
        answer["plugins"] = plugins()
    os.write(channel, json.dumps(answer).encode("ascii") + b"\n")
    if what == "wait":
        become_pytest(channel)


main()

"""What hwsift asks a Python: `find` says whether torch and pytest are there, `devices` also asks torch for its devices.
The answer is one JSON object on the descriptor that HWSIFT_CHANNEL names."""
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


def devices(torch):
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
            found.append({"type": kind, "name": name_of(module, 0), "count": count, "memory": memory_of(module, 0)})
    return found


def main():
    answer = find()
    if sys.argv[1:] == ["devices"] and "torch" in answer:
        try:
            import torch
            answer["torch"] = str(torch.__version__)
            answer["hip"] = str(torch.version.hip or "")
            answer["devices"] = devices(torch)
        except BaseException as problem:  # a broken installation may raise anything
            answer["problem"] = f"{type(problem).__name__}: {problem}"
    os.write(int(os.environ["HWSIFT_CHANNEL"]), json.dumps(answer).encode("ascii") + b"\n")


main()

async def f[T = int, *Ts = *A](a, /, b=1, *c, **d) -> x[*a]:
    async with (a as b, c): return a, *[b]
    match x:
        case {"a": [b, *_], **c} | A.B(c, d=1) if (e := f): pass
    try: pass
    except* A, B: pass

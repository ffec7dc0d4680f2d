"""Computes XXH64, which the store uses for hashes, from its published description and without our code."""

_M = (1 << 64) - 1
_P = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def _rotl(x, r):
    return ((x << r) | (x >> (64 - r))) & _M


def _round(acc, lane):
    return (_rotl((acc + lane * _P[1]) & _M, 31) * _P[0]) & _M


def xxh64(data, seed=0):
    at, size = 0, len(data)
    if size >= 32:
        v = [(seed + _P[0] + _P[1]) & _M, (seed + _P[1]) & _M, seed, (seed - _P[0]) & _M]
        while at + 32 <= size:
            for i in range(4):
                v[i] = _round(v[i], int.from_bytes(data[at:at + 8], "little"))
                at += 8
        h = (_rotl(v[0], 1) + _rotl(v[1], 7) + _rotl(v[2], 12) + _rotl(v[3], 18)) & _M
        for x in v:
            h = ((h ^ _round(0, x)) * _P[0] + _P[3]) & _M
    else:
        h = (seed + _P[4]) & _M
    h = (h + size) & _M
    while at + 8 <= size:
        h = (_rotl(h ^ _round(0, int.from_bytes(data[at:at + 8], "little")), 27) * _P[0] + _P[3]) & _M
        at += 8
    if at + 4 <= size:
        h = (_rotl(h ^ (int.from_bytes(data[at:at + 4], "little") * _P[0] & _M), 23) * _P[1] + _P[2]) & _M
        at += 4
    while at < size:
        h = (_rotl(h ^ (data[at] * _P[4] & _M), 11) * _P[0]) & _M
        at += 1
    h = ((h ^ (h >> 33)) * _P[1]) & _M
    h = ((h ^ (h >> 29)) * _P[2]) & _M
    return h ^ (h >> 32)

"""Prints names.json, computed by uuid5 of the standard library: python3 names.py > names.json"""

import json
import uuid

root = uuid.uuid5(uuid.NAMESPACE_DNS, "typed-id")
names = ["ada@example.com", "", "Grüße 🌍", "a" * 1000, "line\nbreak\0"]
vectors = [
    {"type": kind, "name": name, "uuid": str(uuid.uuid5(uuid.uuid5(root, kind), name))}
    for kind in ["user", "team", "Z9"]
    for name in names
]
url = uuid.NAMESPACE_URL
vectors.append({"type": "user", "name": "https://example.com/ada", "namespace": str(url),
                "uuid": str(uuid.uuid5(url, "https://example.com/ada"))})
print(json.dumps(vectors, indent=2))

"""Writes a wheel that contains a program mercer: python3 python/wheel.py bin/mercer dist

It begins at the root of the repository. The wheel depends on the program and the files there alone.
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

PLATFORMS = {
    "amd64 linux": "manylinux_2_17_x86_64", "arm64 linux": "manylinux_2_17_aarch64",
    "amd64 darwin": "macosx_12_0_x86_64", "arm64 darwin": "macosx_12_0_arm64",
}
TEXTS = {
    "METADATA": """Metadata-Version: 2.1
Name: mercer
Version: {version}
Summary: A benchmark for kernel approximation that checks the theory
License: MIT
License-File: LICENSE
Requires-Python: >=3.9
""",
    "WHEEL": "Wheel-Version: 1.0\nGenerator: mercer\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n",
    "entry_points.txt": "[console_scripts]\nmercer = mercer._binary:main\n",
}


binary, out = sys.argv[1:]
built = subprocess.check_output(["go", "version", "-m", binary], text=True)
version = re.search(r"\tmod\tmercer\tv?(\S+)", built)[1].replace("(devel)", "0.0.0.dev0").replace("-rc.", "rc")
# As PEP 440 has it a commit after v1.2.2, v1.2.3-0.20261129140000-041d4be0abcd+dirty of Go's, is
# 1.2.3.dev20261129140000+041d4be0abcd.dirty.
version = re.sub(r"(-|-0\.|\.0\.)(\d{14})-(\w+)\+?", r".dev\2+\3.", version).rstrip(".")
platform = PLATFORMS[" ".join(re.findall(r"\bGO(?:ARCH|OS)=(\S+)", built))]
info, record = "mercer-%s.dist-info/" % version, ""
wheel = pathlib.Path(out, "mercer-%s-py3-none-%s.whl" % (version, platform))
files = {"mercer/" + path.name: path for path in pathlib.Path("python/mercer").glob("*.py")}
files.update({"mercer/_program.py": "methods/exec/examples/mercer.py", "mercer/bin/mercer": binary, info + "LICENSE": "LICENSE"})
content = {name: pathlib.Path(path).read_bytes() for name, path in files.items()}
content.update({info + name: text.format(version=version, platform=platform).encode() for name, text in TEXTS.items()})
with zipfile.ZipFile(wheel, "w") as archive:
    for name in sorted(content) + [info + "RECORD"]:
        entry = zipfile.ZipInfo(name)  # dated 1980
        entry.external_attr = (0o100755 if "/bin/" in name else 0o100644) << 16
        text = content.get(name) or (record + name + ",,\n").encode()
        archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
        record += "%s,sha256=%s,%d\n" % (name, base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("="), len(text))
print(wheel)

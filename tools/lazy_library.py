#!/usr/bin/env python3
"""Writes the C++ source that loads a shared library when one of its functions is first called:
lazy_library.py OUTPUT SONAME PACKAGE OPEN SYMBOLS

SYMBOLS names a file with one symbol per line: functions of integers and pointers, and, ending in _g, variables of eight bytes.
OPEN is the function that sets the variables; callers call it before they read one, as HDF5's macros do.
The source is for x86-64. Each function jumps through a table, which the first call fills."""
import sys

HEAD = """// Written by tools/lazy_library.py.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {{
[[gnu::visibility("hidden"), gnu::used]] void* tenpin_lazy_functions[{count}] = {{}};
void tenpin_lazy_load();
"""

LOAD = """}}

namespace {{

const char* const kFunctions[] = {{
{functions}}};

struct Variable {{
  const char* name;
  std::int64_t* value;
}};
const Variable kVariables[] = {{
{variables}}};

// The program cannot go on, as where the system's loader does not find a library.
[[noreturn]] void give_up() {{
  constexpr int kEnvironment = 4;  // exit code
  std::fprintf(stderr, "tenpin: cannot load {soname} (Debian: {package}): %s\\n", dlerror());
  std::_Exit(kEnvironment);
}}

void* find(void* library, const char* name) {{
  void* const symbol = dlsym(library, name);
  if (symbol == nullptr) give_up();
  return symbol;
}}

// Neither {soname} nor the libraries that it loads survive a lack of memory: it is noticed before.
void demand_memory() {{
  constexpr std::size_t kReserve = std::size_t{{128}} << 20;
  constexpr int kEnvironment = 4;
  void* const reserve = std::malloc(kReserve);
  if (reserve == nullptr) {{
    std::fputs("tenpin: out of memory\\n", stderr);
    std::_Exit(kEnvironment);
  }}
  std::free(reserve);
}}

bool load() {{
  demand_memory();
  void* const library = dlopen("{soname}", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) give_up();
  if (reinterpret_cast<int (*)()>(find(library, "{open}"))() < 0) give_up();
  for (const Variable& variable : kVariables) {{
    *variable.value = *static_cast<const std::int64_t*>(find(library, variable.name));
  }}
  for (int i = 0; i < {count}; ++i) tenpin_lazy_functions[i] = find(library, kFunctions[i]);
  return true;
}}

}}  // namespace

[[gnu::visibility("hidden"), gnu::used]] void tenpin_lazy_load() {{
  static const bool kIsLoaded = load();
  (void)kIsLoaded;
}}

// The first call saves the registers that hold arguments.
asm(R"(
  .text
  .type tenpin_lazy_first, @function
tenpin_lazy_first:
  push %rax
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  sub $8, %rsp
  call tenpin_lazy_load
  add $8, %rsp
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  pop %rax
  ret
  .size tenpin_lazy_first, .-tenpin_lazy_first
"""

FUNCTION = """
  .globl {name}
  .hidden {name}
  .type {name}, @function
{name}:
  endbr64
  cmpq $0, tenpin_lazy_functions+{offset}(%rip)
  jne 1f
  call tenpin_lazy_first
1:
  jmp *tenpin_lazy_functions+{offset}(%rip)
  .size {name}, .-{name}
"""


def main():
    output, soname, package, opens, path = sys.argv[1:]
    with open(path, encoding="ascii") as file:
        symbols = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    variables = [s for s in symbols if s.endswith("_g")]
    functions = [s for s in symbols if not s.endswith("_g")]
    with open(output, "w", encoding="ascii") as file:
        file.write(HEAD.format(count=len(functions)))
        for name in variables:
            file.write(f'[[gnu::visibility("hidden")]] std::int64_t {name} = -1;\n')
        file.write(LOAD.format(count=len(functions), soname=soname, package=package, open=opens,
                               functions="".join(f'    "{s}",\n' for s in functions),
                               variables="".join(f'    {{"{s}", &{s}}},\n' for s in variables)))
        for i, name in enumerate(functions):
            file.write(FUNCTION.format(name=name, offset=8 * i))
        file.write(')");\n')


main()

// SPDX-License-Identifier: BSD-3-Clause
// Reads ELF with a check of every offset: sections, symbols, relocations.
#include "restamp/object_code.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>

#include <tessera/error.hpp>

#include "work/content_hash.hpp"

namespace tessera::tune {

namespace {

constexpr int cuda = 190;

class elf_object {
 public:
  explicit elf_object(std::string_view bytes) : bytes_(bytes) {
    if (!bytes.starts_with(ELFMAG)) throw error("no ELF object; build without -flto");
    head_ = read<Elf64_Ehdr>(0);
    const bool known = head_.e_machine == EM_X86_64 || head_.e_machine == EM_AARCH64 || head_.e_machine == cuda;
    if (head_.e_ident[EI_CLASS] != ELFCLASS64 || head_.e_ident[EI_DATA] != ELFDATA2LSB || !known)
      throw error("no 64-bit ELF object of x86-64, aarch64 or CUDA");
    if (head_.e_shnum == 0 || head_.e_shentsize != sizeof(Elf64_Shdr)) throw error("an object without sections");
    for (std::size_t i = 0; i < head_.e_shnum; ++i)
      sections_.push_back(read<Elf64_Shdr>(head_.e_shoff + i * sizeof(Elf64_Shdr)));
    for (const Elf64_Shdr& s : sections_)
      if (s.sh_type == SHT_SYMTAB) {
        symbols_ = table<Elf64_Sym>(s);
        names_ = s.sh_link;
      }
  }

  int machine() const { return head_.e_machine; }
  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  const std::vector<Elf64_Sym>& symbols() const { return symbols_; }
  const Elf64_Shdr& section(std::size_t index) const {
    if (index >= sections_.size()) throw error("a broken object: it names a section that is not there");
    return sections_[index];
  }
  std::string_view content(const Elf64_Shdr& s) const {
    return s.sh_type == SHT_NOBITS ? std::string_view() : slice(s.sh_offset, s.sh_size);
  }
  std::string name_of(const Elf64_Shdr& s) const { return text(head_.e_shstrndx, s.sh_name); }
  std::string name_of(const Elf64_Sym& s) const { return text(names_, s.st_name); }

  template <class Entry>
  std::vector<Entry> table(const Elf64_Shdr& s) const {
    std::vector<Entry> entries;
    for (std::size_t at = 0; at + sizeof(Entry) <= s.sh_size; at += sizeof(Entry))
      entries.push_back(read<Entry>(s.sh_offset + at));
    return entries;
  }

 private:
  std::string_view slice(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) throw error("a broken object: it ends too early");
    return bytes_.substr(at, size);
  }
  template <class Value>
  Value read(std::uint64_t at) const {
    Value value;
    std::memcpy(&value, slice(at, sizeof value).data(), sizeof value);
    return value;
  }
  std::string text(std::size_t table, std::size_t at) const {
    const std::string_view all = content(section(table));
    if (at >= all.size()) throw error("a broken object: a name is missing");
    return std::string(all.substr(at, all.find('\0', at) - at));
  }

  std::string_view bytes_;
  Elf64_Ehdr head_{};
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Sym> symbols_;
  std::size_t names_ = 0;
};

std::uint64_t hash_with(std::uint64_t hash, std::uint64_t value) {
  return hash_of({reinterpret_cast<const char*>(&value), sizeof value}, hash);
}

// What a program has in memory, but for tables that only unwinding reads.
bool is_loaded(const Elf64_Shdr& s, const std::string& name) {
  const bool kind = s.sh_type == SHT_PROGBITS || s.sh_type == SHT_NOBITS || s.sh_type == SHT_INIT_ARRAY;
  return kind && (s.sh_flags & SHF_ALLOC) != 0 && s.sh_size > 0 && name != ".eh_frame";
}

// Cuts an object into pieces, and finds the piece of an address.
class pieces_of_object {
 public:
  explicit pieces_of_object(const elf_object& from) : from_(from), of_section_(from.sections().size()) {
    for (const Elf64_Shdr& s : from.sections())
      if (from.machine() == cuda && from.name_of(s) == ".nv.info") note_registers(from.content(s));
    for (std::size_t i = 0; i < from.sections().size(); ++i) add_section(i);
    for (const Elf64_Shdr& s : from.sections()) {
      if (s.sh_type == SHT_RELA)
        for (const Elf64_Rela& r : from.table<Elf64_Rela>(s)) add_reference(s, r);
      if (s.sh_type == SHT_REL)  // of CUDA: the addend is among the section's bytes
        for (const Elf64_Rel& r : from.table<Elf64_Rel>(s)) add_reference(s, {r.r_offset, r.r_info, 0});
    }
    for (code_piece& piece : pieces) {
      std::sort(piece.references.begin(), piece.references.end(),
                [](const code_reference& a, const code_reference& b) { return a.at < b.at; });
      for (const code_reference& r : piece.references) piece.own = hash_with(hash_with(piece.own, r.at), r.kind);
    }
  }

  std::vector<code_piece> pieces;

 private:
  struct place {
    std::uint64_t start, size;
    std::size_t piece;
  };

  // Of CUDA: format, attribute and size of each entry, then in entries of format 4 so many bytes: of the attribute with
  // the number of registers the kernel's symbol and that number.
  void note_registers(std::string_view info) {
    constexpr char with_bytes = 4, register_count = 0x2f;
    for (std::size_t at = 0; at + 4 <= info.size();) {
      std::uint16_t size = 0;
      std::memcpy(&size, info.data() + at + 2, sizeof size);
      const std::string_view entry = info.substr(at + 4, info[at] == with_bytes ? size : 0);
      if (info[at] == with_bytes && info[at + 1] == register_count && entry.size() == 8) {
        std::uint32_t values[2];
        std::memcpy(values, entry.data(), sizeof values);
        registers_[values[0]] = values[1];
      }
      at += 4 + entry.size();
    }
  }

  void add_section(std::size_t index) {
    const Elf64_Shdr& s = from_.section(index);
    const std::string name = from_.name_of(s);
    if (name.starts_with(".gnu.lto_")) throw error("an object for link-time optimisation; build without -flto");
    if (!is_loaded(s, name)) return;
    if ((s.sh_flags & SHF_EXECINSTR) != 0) add_functions(index);
    if (of_section_[index].empty()) add_piece(index, 0, s.sh_size, name, false);
  }

  // Between functions is padding alone.
  void add_functions(std::size_t index) {
    std::vector<const Elf64_Sym*> functions;
    for (const Elf64_Sym& s : from_.symbols())
      if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx == index && s.st_size > 0) functions.push_back(&s);
    std::sort(functions.begin(), functions.end(),
              [](const Elf64_Sym* a, const Elf64_Sym* b) { return a->st_value < b->st_value; });
    std::uint64_t end = 0;
    for (const Elf64_Sym* f : functions) {
      if (f->st_value < end) continue;  // another name of the same
      add_piece(index, f->st_value, f->st_size, from_.name_of(*f), true);
      const auto registers = registers_.find(std::size_t(f - from_.symbols().data()));
      if (registers != registers_.end()) pieces.back().own = hash_with(pieces.back().own, registers->second);
      end = f->st_value + f->st_size;
    }
  }

  void add_piece(std::size_t index, std::uint64_t start, std::uint64_t size, const std::string& name, bool function) {
    const Elf64_Shdr& s = from_.section(index);
    if (start > s.sh_size || size > s.sh_size - start) throw error("a broken object: " + name + " ends too late");
    code_piece piece{name, function, hash_with(hash_start, s.sh_type), {}};
    constexpr std::uint64_t flags = SHF_WRITE | SHF_EXECINSTR | SHF_TLS;
    for (const std::uint64_t value : {s.sh_flags & flags, std::uint64_t(s.sh_addralign), size})
      piece.own = hash_with(piece.own, value);
    if (s.sh_type != SHT_NOBITS) piece.own = hash_of(from_.content(s).substr(start, size), piece.own);
    if (name.starts_with(".rodata._ZTS")) piece.own = hash_start;  // a type's name
    of_section_[index].push_back({start, size, pieces.size()});
    pieces.push_back(std::move(piece));
  }

  const place* place_at(std::size_t section, std::int64_t offset) const {
    const std::vector<place>& places = of_section_[section];
    if (places.empty()) return nullptr;
    const auto behind = std::upper_bound(places.begin(), places.end(), offset,
                                         [](std::int64_t at, const place& p) { return at < std::int64_t(p.start); });
    return behind == places.begin() ? &places.front() : &*(behind - 1);
  }

  void add_reference(const Elf64_Shdr& table, const Elf64_Rela& r) {
    from_.section(table.sh_info);
    const place* in = place_at(table.sh_info, std::int64_t(r.r_offset));
    if (in == nullptr) return;  // of debug information
    if (r.r_offset < in->start || r.r_offset - in->start >= in->size)
      throw error("a broken object: an address between functions");
    if (ELF64_R_SYM(r.r_info) >= from_.symbols().size()) throw error("a broken object: a symbol is missing");
    const Elf64_Sym& symbol = from_.symbols()[ELF64_R_SYM(r.r_info)];
    code_reference reference{r.r_offset - in->start, ELF64_R_TYPE(r.r_info), r.r_addend, code_reference::elsewhere, {}};
    if (symbol.st_shndx == SHN_XINDEX) throw error("an object of more than 65279 sections");
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) {
      reference.name = from_.name_of(symbol);
    } else {
      // Relative to the end of the address, four bytes behind its start, on x86-64: addends are 4 less.
      const std::uint64_t kind = reference.kind;
      const bool behind = from_.machine() == EM_X86_64 && (kind == R_X86_64_PC32 || kind == R_X86_64_PLT32);
      const auto offset = std::int64_t(symbol.st_value + std::uint64_t(r.r_addend) + (behind ? 4 : 0));
      from_.section(symbol.st_shndx);
      const place* to = place_at(symbol.st_shndx, offset);
      reference.offset = std::int64_t(std::uint64_t(offset) - (to == nullptr ? 0 : to->start));
      if (to != nullptr) reference.to = to->piece;
    }
    pieces[in->piece].references.push_back(std::move(reference));
  }

  const elf_object& from_;
  std::vector<std::vector<place>> of_section_;
  std::map<std::size_t, std::uint32_t> registers_;  // by the kernel's symbol
};

}  // namespace

object_code read_object(std::string_view elf, const std::string& name) {
  try {
    const elf_object from(elf);
    object_code object{name, from.machine(), {}, pieces_of_object(from).pieces};
    for (const Elf64_Shdr& s : from.sections())
      if (from.name_of(s) == ".comment") object.compiler = std::string(from.content(s));
    std::replace(object.compiler.begin(), object.compiler.end(), '\0', ' ');
    return object;
  } catch (const error& wrong) {
    throw error(name + ": " + wrong.what());
  }
}

std::vector<std::uint64_t> hashes_of(const object_code& object, const std::set<std::string>& known) {
  std::vector<std::uint64_t> now;
  for (const code_piece& piece : object.pieces) now.push_back(piece.own);
  for (int round = 0; round < depth; ++round) {
    std::vector<std::uint64_t> next;
    for (const code_piece& piece : object.pieces) {
      std::uint64_t hash = piece.own;
      for (const code_reference& r : piece.references) {
        hash = hash_with(hash, std::uint64_t(r.offset));
        if (r.to != code_reference::elsewhere)
          hash = hash_with(hash, now[r.to]);
        else
          hash = hash_of(known.contains(r.name) ? r.name : std::string("?"), hash);
      }
      next.push_back(hash);
    }
    now = std::move(next);
  }
  return now;
}

std::set<std::string> names_elsewhere(const object_code& object) {
  std::set<std::string> names;
  for (const code_piece& piece : object.pieces)
    for (const code_reference& r : piece.references)
      if (r.to == code_reference::elsewhere) names.insert(r.name);
  return names;
}

}  // namespace tessera::tune

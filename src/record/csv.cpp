#include "record/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ostream>

#include "base/check.h"

namespace tenpin::record {
namespace {

constexpr std::int64_t kBlock = 4096;  // rows read at a time

template <typename T>
T get(const void* row, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(row) + offset, sizeof value);
  return value;
}

std::string print_field(const Field& field, const void* row) {
  switch (field.type) {
    case FieldType::kReal:
      return fmt::format("{}", get<double>(row, field.offset));
    case FieldType::kVector: {
      const auto v = get<std::array<double, 3>>(row, field.offset);
      return fmt::format("{},{},{}", v[0], v[1], v[2]);
    }
    case FieldType::kInt64:
      return fmt::format("{}", get<std::int64_t>(row, field.offset));
    case FieldType::kInt32:
      return fmt::format("{}", get<std::int32_t>(row, field.offset));
    case FieldType::kUint32:
      return fmt::format("{}", get<std::uint32_t>(row, field.offset));
    case FieldType::kBool:
      return get<std::uint8_t>(row, field.offset) != 0 ? "1" : "0";
    default:
      return std::string(names_of(field.type)[get<std::uint8_t>(row, field.offset)]);
  }
}

std::string make_title(std::span<const Field> fields) {
  std::string line;
  for (const Field& field : fields) {
    if (!line.empty()) line += ',';
    if (field.type == FieldType::kVector) {
      line += fmt::format("{0}_x,{0}_y,{0}_z", field.name);
    } else {
      line += field.name;
    }
  }
  return line;
}

std::string make_line(std::span<const Field> fields, const void* row) {
  std::string line;
  for (const Field& field : fields) {
    if (&field != fields.data()) line += ',';
    line += print_field(field, row);
  }
  return line;
}

void write_frames(const RunReader& reader, std::ostream* out) {
  *out << "t,step,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\r\n";
  const auto& bodies = reader.header().bodies;
  for (std::int64_t k = 0; k < reader.num_frames(); ++k) {
    const RunFrame frame = reader.read_frame(k);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyMotion& body = frame.bodies[i];
      const Vec3& p = body.position;
      const Quat& q = body.orientation;
      const Vec3& v = body.velocity;
      const Vec3& w = body.angular_velocity;
      *out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", frame.t,
                          frame.step, csv_cell(bodies[i].name), p.x(), p.y(), p.z(), q.w(), q.x(),
                          q.y(), q.z(), v.x(), v.y(), v.z(), w.x(), w.y(), w.z());
    }
  }
}

void write_steps(const RunReader& reader, std::ostream* out) {
  *out << make_title(step_fields()) << "\r\n";
  for (std::int64_t first = 0; first < reader.num_steps(); first += kBlock) {
    for (const StepRow& row :
         reader.read_steps(first, std::min(kBlock, reader.num_steps() - first))) {
      *out << make_line(step_fields(), &row) << "\r\n";
    }
  }
}

void write_contacts(const RunReader& reader, std::ostream* out) {
  *out << "name_a,name_b," << make_title(contact_fields()) << "\r\n";
  const auto& bodies = reader.header().bodies;
  for (std::int64_t first = 0; first < reader.num_contacts(); first += kBlock) {
    for (const ContactRow& row :
         reader.read_contacts(first, std::min(kBlock, reader.num_contacts() - first))) {
      *out << csv_cell(bodies[row.body_a].name) << ',' << csv_cell(bodies[row.body_b].name) << ','
           << make_line(contact_fields(), &row) << "\r\n";
    }
  }
}

void write_reactions(const RunReader& reader, std::ostream* out) {
  *out << "name," << make_title(reaction_fields()) << "\r\n";
  const RunHeader& header = reader.header();
  for (std::int64_t first = 0; first < reader.num_reactions(); first += kBlock) {
    for (const ReactionRow& row :
         reader.read_reactions(first, std::min(kBlock, reader.num_reactions() - first))) {
      const std::string& name =
          row.kind == ReactionRow::kLoop ? header.loops[row.index] : header.bodies[row.index].name;
      *out << csv_cell(name) << ',' << make_line(reaction_fields(), &row) << "\r\n";
    }
  }
}

}  // namespace

std::string csv_cell(std::string_view text) {
  std::string cell;
  if (!text.empty() &&
      std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos) {
    cell += '\'';
  }
  cell += text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void write_csv(const RunReader& reader, CsvTable table, std::ostream* out) {
  switch (table) {
    case CsvTable::kFrames:
      return write_frames(reader, out);
    case CsvTable::kSteps:
      return write_steps(reader, out);
    case CsvTable::kContacts:
      return write_contacts(reader, out);
    case CsvTable::kReactions:
      return write_reactions(reader, out);
  }
}

}  // namespace tenpin::record

#include "usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/text.h"

namespace tenpin::app {

namespace {

using Words = std::vector<std::string>;

std::string suggest(const std::string& word, const Words& candidates) {
  const auto meant = nearest(word, std::span<const std::string>(candidates));
  return meant ? "; did you mean '" + *meant + "'?" : "";
}

// The command with wrong arguments; nullptr if no command was given.
const CLI::App* find_command(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? nullptr : parsed.front();
}

Words list_commands(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

Words list_options(const CLI::App& command) {
  Words names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// For "--until 3", which is a key of the scene.
std::string suggest_setting(const CLI::App& command, const std::string& option) {
  if (command.get_option_no_throw("--set") == nullptr) return "";
  const Words keys = {"until", "gravity", "record", "bodies", "materials", "parameters"};
  const auto meant = nearest(option.substr(option.find_first_not_of('-')), std::span(keys));
  return meant ? "; to change the scene, use --set " + *meant : "";
}

// How a user writes the option: "-o FILE", "--threads INT", "SCENE".
std::string print_option(const CLI::Option& option) {
  if (!option.nonpositional()) {
    std::string name = option.get_name();
    std::transform(name.begin(), name.end(), name.begin(), ::toupper);
    return name;
  }
  const std::string name = option.get_snames().empty() ? "--" + option.get_lnames().front()
                                                       : "-" + option.get_snames().front();
  return option.get_type_name().empty() ? name : name + " " + option.get_type_name();
}

std::string explain_no_command(const CLI::App& app) {
  const Words unknown = app.remaining();
  if (unknown.empty()) return "no command";
  const std::string& word = unknown.front();
  if (word.starts_with('-')) return fmt::format("no command before {}", word);
  return fmt::format("no command '{}'{}", word, suggest(word, list_commands(app)));
}

std::string explain_unknown(const CLI::App& command) {
  const Words unknown = command.remaining();
  // Words after an unknown option may be its values: the option is the mistake.
  const auto option = std::find_if(unknown.begin(), unknown.end(), [](const std::string& word) {
    return word.starts_with('-');
  });
  if (option != unknown.end()) {
    const std::string name = option->substr(0, option->find('='));
    const std::string hint = suggest(name, list_options(command));
    return fmt::format("'{}' has no option {}{}", command.get_name(), name,
                       hint.empty() ? suggest_setting(command, name) : hint);
  }
  const std::string word = unknown.empty() ? "" : unknown.front();
  const bool is_setting =
      word.find('=') != std::string::npos && command.get_option_no_throw("--set") != nullptr;
  return fmt::format("'{}' takes no further argument, got '{}'{}", command.get_name(), word,
                     is_setting ? "; write --set before each setting" : "");
}

std::string explain_missing(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    return fmt::format("'{}' needs {}: {}", command.get_name(), print_option(*option),
                       option->get_description());
  }
  return fmt::format("'{}' needs more arguments", command.get_name());
}

// Finds the option with which a message of the parser begins.
const CLI::Option* find_option(const CLI::App& command, std::string_view message) {
  const std::string name(message.substr(0, message.find_first_of(": ")));
  for (const char* dashes : {"", "--", "-"}) {
    if (const CLI::Option* option = command.get_option_no_throw(dashes + name)) return option;
  }
  return nullptr;
}

// Explains that an option has too few or too many values.
std::string explain_count(const CLI::Option& option) {
  if (option.get_expected_max() == 0) {
    return fmt::format("{} takes no value", print_option(option));
  }
  if (option.count() > 1) {
    return fmt::format("{} is given {} times, want it once", print_option(option), option.count());
  }
  return fmt::format("no value for {}", print_option(option));
}

std::string explain_value(const CLI::App& command, std::string_view message) {
  // The parser's message is "Could not convert: --name = value".
  constexpr std::string_view kConvert = "Could not convert: ";
  if (message.starts_with(kConvert)) {
    message.remove_prefix(kConvert.size());
    const CLI::Option* option = find_option(command, message);
    const std::size_t equals = message.find(" = ");
    if (option != nullptr && equals != std::string_view::npos) {
      return fmt::format("{}: got {}, want a value of another kind", print_option(*option),
                         message.substr(equals + 3));
    }
  }
  return "wrong value";
}

// Errors are distinguished by their codes, because some have the same names as commands.
std::string explain(const CLI::App& command, const CLI::ParseError& error) {
  const std::string_view message = error.what();
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError:
      return explain_unknown(command);
    case CLI::ExitCodes::RequiredError:
      return explain_missing(command);
    case CLI::ExitCodes::ArgumentMismatch:
      if (const CLI::Option* option = find_option(command, message)) return explain_count(*option);
      return "too few or too many arguments";
    case CLI::ExitCodes::ValidationError:  // the message comes from option_values.h
      return std::string(message);
    default:
      return explain_value(command, message);
  }
}

}  // namespace

std::string explain_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = find_command(app);
  if (command == nullptr) {
    return explain_no_command(app) + "\nTry 'tenpin --help'.";
  }
  return fmt::format("{}\nTry 'tenpin {} --help'.", explain(*command, error), command->get_name());
}

}  // namespace tenpin::app

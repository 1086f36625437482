/* libyaml: the events of a YAML stream. */
#include <stdio.h>
#include <yaml.h>
int main(void) {
  static unsigned char data[4096];
  unsigned long size = fread(data, 1, sizeof data, stdin);
  yaml_parser_t parser; yaml_event_t event; int done = 0, ok = 1;
  if (!yaml_parser_initialize(&parser)) return 2;
  yaml_parser_set_input_string(&parser, data, size);
  while (!done && (ok = yaml_parser_parse(&parser, &event))) { done = event.type == YAML_STREAM_END_EVENT; yaml_event_delete(&event); }
  yaml_parser_delete(&parser);
  return !ok;
}

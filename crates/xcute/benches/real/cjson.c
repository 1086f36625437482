/* cJSON: a JSON text. */
#include <stdio.h>
#include "cJSON.h"
int main(void) {
  static char data[4096];
  unsigned long size = fread(data, 1, sizeof data, stdin);
  cJSON *json = cJSON_ParseWithLength(data, size);
  if (!json) return 1;
  cJSON_Delete(json);
  return 0;
}

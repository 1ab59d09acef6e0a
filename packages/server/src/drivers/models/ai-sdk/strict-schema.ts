const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a schema says of every object that it has these keys and no others; providers enforce only such ones. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  const { properties, required, additionalProperties } = schema;
  if (isObject(properties) || schema['type'] === 'object') {
    const keys = Object.keys(isObject(properties) ? properties : {});
    const all = Array.isArray(required) ? new Set<unknown>(required) : new Set();
    if (additionalProperties !== false || !keys.every((key) => all.has(key))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether every object of a schema allows exactly its listed keys; providers enforce only such schemas. */
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

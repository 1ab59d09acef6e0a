/** The parts of our own OpenAPI document that the reference pages show. */
export interface ReferenceDocument {
  paths: Record<string, Record<string, ReferenceOperation>>;
  components: { schemas: Record<string, ReferenceSchema>; parameters: Record<string, ReferenceParameter> };
}

export interface ReferenceOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: (ReferenceParameter | { $ref: string })[];
  requestBody?: { content: Record<string, ReferenceContent> };
  responses: Record<string, { description: string; content?: Record<string, ReferenceContent> }>;
  /** Empty: open to everyone. Absent: an API key or a session. */
  security?: Record<string, string[]>[];
}

export interface ReferenceParameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: ReferenceSchema;
}

export interface ReferenceContent {
  schema?: ReferenceSchema;
  example?: unknown;
}

export interface ReferenceSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  required?: string[];
  properties?: Record<string, ReferenceSchema>;
  items?: ReferenceSchema;
  prefixItems?: ReferenceSchema[];
  anyOf?: ReferenceSchema[];
  oneOf?: ReferenceSchema[];
  allOf?: ReferenceSchema[];
  additionalProperties?: boolean | ReferenceSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

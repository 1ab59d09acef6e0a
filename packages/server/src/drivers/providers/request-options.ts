import type { JSONObject } from '@ai-sdk/provider';
import type { ModelRequest } from '../models/driver.ts';
import { isStrictSchema } from '../models/request/strict-schema.ts';

/** Providers call several tools in one step by default, so only the wish for one at a time is sent. */
export const forbidsParallelCalls = (request: ModelRequest, left_out: ReadonlySet<string>): boolean =>
  request.tools.length > 0 && !request.parallel_tool_calls && !left_out.has('parallel_tool_calls');

/** Asks for strict JSON where the schema of the answer allows it. */
export const strictJsonOption = ({ json_schema }: ModelRequest): JSONObject =>
  json_schema ? { strictJsonSchema: isStrictSchema(json_schema) } : {};

import { z } from 'zod';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

export const apiKey = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    tenant_admin: z.boolean(),
    permissions: z.array(z.enum(allPermissions)),
    /** Requests a minute; null: as many as the server lets every key make. */
    rate_limit: z.int().nullable(),
    /** The whole key in the one answer that makes it, afterwards only its first characters. */
    value: z.string(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ApiKey' });

/** The key that is asking, about itself. */
export const me = apiKey.extend({ tenant_id: z.guid() }).meta({ id: 'Me' });

export const apiKeyCreate = s
  .object({
    name: s.str({ min: 1, max: 200 }),
    tenant_admin: s.withDefault(s.bool(), false),
    permissions: s.optional(s.list(s.oneOf(allPermissions), { max: 100 })),
    expires_at: s.optional(s.datetime()),
    rate_limit: s.optional(s.int({ ge: 1, le: 1_000_000 })),
  })
  .meta({ id: 'ApiKeyCreate' });

export const apiKeyRotate = s
  .object({ overlap_seconds: s.withDefault(s.int({ ge: 0, le: 30 * 86_400 }), 3600) })
  .meta({ id: 'ApiKeyRotate' });

export const groupParams = s.object({ group_id: s.uuid('workspace') });
export const apiKeyParams = s.object({ group_id: s.uuid('workspace'), api_key_id: s.uuid('api_key') });

export type ApiKey = z.output<typeof apiKey>;
export type Me = z.output<typeof me>;
export type ApiKeyCreate = z.output<typeof apiKeyCreate>;

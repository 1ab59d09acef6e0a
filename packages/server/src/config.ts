import { z } from 'zod';
import { backupBucketFrom, blobsFrom, blobVariables, indexesFrom } from './config/blobs.ts';
import { insightsFrom, insightVariables } from './config/insights.ts';
import { keyCommandVariables, withPrintedKeys } from './config/key-commands.ts';
import { knowledgeBasesFrom, knowledgeBaseVariables } from './config/knowledge-bases.ts';
import { mailFrom, mailVariables } from './config/mail.ts';
import { processFrom, processVariables } from './config/process.ts';
import { providersFrom, providerVariables } from './config/providers.ts';
import { runsFrom, runVariables } from './config/runs.ts';
import { safetyFrom, safetyVariables } from './config/safety.ts';
import { sandboxesFrom, sandboxVariables } from './config/sandboxes.ts';
import { securityContactFrom, securityContactVariables } from './config/security-contact.ts';
import { toolsFrom, toolVariables } from './config/tools.ts';
import { variablesFrom, variableVariables } from './config/variables.ts';
import type { ProviderConfig } from './drivers/providers/driver.ts';

/** Every setting of the process, part by part. The README's table and `.env.example` are made from it, in this order. */
const environment = z.object({
  ...processVariables,
  ...blobVariables,
  ...keyCommandVariables,
  ...mailVariables,
  ...securityContactVariables,
  ...runVariables,
  ...safetyVariables,
  ...insightVariables,
  ...variableVariables(() => ownNames()),
  ...sandboxVariables,
  ...toolVariables,
  ...knowledgeBaseVariables,
  ...providerVariables,
});

const ownNames = (): string[] => Object.keys(environment.shape);

type Def = { type: string; in?: z.core.$ZodType; defaultValue?: unknown };

/** The default of a variable, as it would be written in the environment. */
function fallbackOf(schema: z.core.$ZodType): string {
  const def: Def = schema._zod.def;
  if (def.type === 'pipe' && def.in) return fallbackOf(def.in);
  return def.type === 'default' ? String(def.defaultValue) : '';
}

/** Names, defaults and meanings: the README's table and `.env.example` are made from these. */
export const configFields = Object.entries(environment.shape).map(([name, schema]) => ({
  name,
  fallback: fallbackOf(schema),
  meaning: schema.description ?? '',
}));

/** The settings as the parts of the program are handed them. */
const configFrom = (e: z.output<typeof environment>, given: Readonly<Record<string, string>>) =>
  Object.freeze({
    ...processFrom(e),
    blobs: blobsFrom(e),
    indexes: indexesFrom(e, given),
    /** The bucket that a target of backups names; undefined when it is a folder. */
    findBackupBucket: (target: string) => backupBucketFrom(e, target),
    mail: mailFrom(e),
    security_contact: securityContactFrom(e),
    ...runsFrom(e),
    ...safetyFrom(e),
    ...insightsFrom(e),
    ...variablesFrom(e, given),
    sandboxes: sandboxesFrom(e),
    ...toolsFrom(e),
    ...knowledgeBasesFrom(e),
    /** The names of the variables that are set; their values may be secrets. */
    environment: ownNames().filter((name) => Object.hasOwn(given, name)) as readonly string[],
    provider_allow: e.ATRIUM_PROVIDER_ALLOW as readonly string[],
    providers: providersFrom(e) as readonly ProviderConfig[],
  });

export type Config = ReturnType<typeof configFrom>;

/** A schema that is used once is not compiled for the next time. */
const once = { jitless: true };

/** The only reader of the environment. An empty variable counts as absent, as `.env` files have them. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])));
  const parsed = environment.safeParse(withPrintedKeys(given), once);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The settings in the environment are not valid:\n${lines.join('\n')}`);
  }
  return configFrom(parsed.data, given);
}

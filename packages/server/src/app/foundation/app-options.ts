import type { FastifyInstance } from 'fastify';
import type { PoolConfig } from 'pg';
import type { LimitMemory } from '../../db/query-connections.ts';
import type { Extract } from '../../drivers/extractors/driver.ts';
import type { ProviderDefinition } from '../../drivers/providers/driver.ts';
import type { ExposedTools } from '../../features/mcp-server/ports.ts';
import type { Tool } from '../../features/tools/ports.ts';
import type { TriggerTarget } from '../../features/triggers/ports.ts';
import type { ExecutableNode } from '../../features/workflows/nodes/define-node.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Counters } from '../../lib/counters/ports.ts';
import type { Locks } from '../../lib/machine/locks.ts';
import type { MachineMetrics } from '../../lib/machine/machine-metrics.ts';
import type { Route } from '../../lib/route.ts';

export interface App {
  server: FastifyInstance;
  routes: readonly Route[];
  /** The names under which this process executes agent runs and workflow runs. */
  node_ids: readonly string[];
  /** Prints the first admin key, unless an earlier start has. Called when the program serves requests. */
  showAdminKey(print: (key: string) => Promise<void>): Promise<void>;
  /** Prints the token that makes the first administrator, while there are no people. */
  showClaim(print: (token: string) => Promise<void>): Promise<void>;
  /** Says by /ready that no further requests should come here, and answers those that still do, for so long. */
  drain(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  /** Tools that agents have besides the built-in ones. */
  tools?: readonly Tool[];
  /** Nodes that workflows have besides the built-in ones. */
  nodes?: readonly ExecutableNode[];
  /** Kinds of model providers besides the built-in ones. */
  providers?: readonly ProviderDefinition[];
  /** What /mcp offers besides agents. */
  mcpOffers?: readonly ExposedTools[];
  /** No other node has this database. */
  alone?: boolean;
  /** What reads the texts of files in place of the built-in readers. */
  extract?: Extract;
  /** The same database without a pooler, when the first connection leads through one. */
  direct?: PoolConfig | undefined;
  /** What triggers start in place of the built-in kinds. */
  triggerTargets?: readonly TriggerTarget[];
  /** By which triggers fire and webhooks are sent. */
  clock?: Clock;
  /** Limits the memory of a backend of the database server, where that server is ours. */
  limitMemory?: LimitMemory | undefined;
  /** How many processes of this machine share its work. Jobs, queries and commands at once are divided among them. */
  processes?: number;
  /** Counters that all of them share. */
  counters?: Counters;
  metrics?: MachineMetrics;
  locks?: Locks;
}

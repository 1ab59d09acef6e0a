import { type SandboxEngineName, sandboxEngineNames } from '@atrium/contract/sandboxes/engines.ts';
import { z } from 'zod';
import { key, megabyte, type Values, webAddress, whole } from '../lib/environment-fields.ts';

/** The variables that say where code runs. */
export const sandboxVariables = {
  ATRIUM_SANDBOX_ENGINE: z
    .enum(['auto', ...sandboxEngineNames])
    .default('auto')
    .describe(
      'Where code runs: bubblewrap, just-bash, docker, e2b or daytona; auto takes E2B or Daytona when their key is set, ' +
        'else the better of the first two that works here',
    ),
  ATRIUM_SANDBOX_NETWORK: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'true lets sandboxes that ask for it reach the public internet, through a proxy that refuses private addresses',
    ),
  ATRIUM_SANDBOX_MEMORY_MB: whole(32, 1_000_000, 512).describe('Memory of one command in a sandbox, in megabytes'),
  ATRIUM_SANDBOX_DISK_MB: whole(1, 1_000_000, 200).describe('What the files of one sandbox may take, in megabytes'),
  ATRIUM_SANDBOX_CONCURRENCY: whole(0, 10_000, 0).describe(
    'Commands that run in sandboxes at once; others wait in line; 0 is twice the number of cores',
  ),
  ATRIUM_SANDBOX_WHEELS: z
    .string()
    .startsWith('/')
    .optional()
    .describe('Folder of Python wheels that pip installs from in sandboxes (bubblewrap and docker), without a network'),
  ATRIUM_MAX_SANDBOXES_PER_WORKSPACE: whole(1, 100_000, 100).describe('How many sandboxes a workspace may have'),
  ATRIUM_SANDBOX_DOCKER_SOCKET: z
    .string()
    .startsWith('/')
    .default('/var/run/docker.sock')
    .describe('Socket of the Docker engine, for ATRIUM_SANDBOX_ENGINE=docker'),
  ATRIUM_SANDBOX_IMAGE: z.string().min(1).default('python:3.13-slim').describe('Image that Docker runs commands in'),
  E2B_API_KEY: key('E2B'),
  E2B_BASE_URL: webAddress.default('https://api.e2b.app').describe("Address of E2B's API"),
  E2B_TEMPLATE: z.string().min(1).default('base').describe('Template of sandboxes at E2B'),
  DAYTONA_API_KEY: key('Daytona'),
  DAYTONA_BASE_URL: webAddress.default('https://app.daytona.io/api').describe("Address of Daytona's API"),
};

export interface SandboxConfig {
  engine: 'auto' | SandboxEngineName;
  network: boolean;
  memory_bytes: number;
  disk_bytes: number;
  /** 0: as many as suit the machine. */
  concurrency: number;
  max_per_workspace: number;
  wheels: string | undefined;
  docker: { socket: string; image: string } | undefined;
  e2b: { api_key: string; base_url: string; template: string } | undefined;
  daytona: { api_key: string; base_url: string } | undefined;
}

export function sandboxesFrom(e: Values<typeof sandboxVariables>): SandboxConfig {
  const { ATRIUM_SANDBOX_ENGINE: engine, E2B_API_KEY, DAYTONA_API_KEY } = e;
  const missing = {
    e2b: E2B_API_KEY === undefined && 'E2B_API_KEY',
    daytona: DAYTONA_API_KEY === undefined && 'DAYTONA_API_KEY',
  };
  const needed = engine === 'e2b' || engine === 'daytona' ? missing[engine] : false;
  if (needed)
    throw new Error(
      `The settings in the environment are not valid:\n  ATRIUM_SANDBOX_ENGINE: ${engine} needs ${needed}`,
    );
  if (e.ATRIUM_SANDBOX_WHEELS !== undefined && !['auto', 'bubblewrap', 'docker'].includes(engine))
    throw new Error(
      `The settings in the environment are not valid:\n  ATRIUM_SANDBOX_WHEELS: it has no effect with ATRIUM_SANDBOX_ENGINE=${engine}`,
    );
  return {
    engine,
    network: e.ATRIUM_SANDBOX_NETWORK === 'true',
    memory_bytes: e.ATRIUM_SANDBOX_MEMORY_MB * megabyte,
    disk_bytes: e.ATRIUM_SANDBOX_DISK_MB * megabyte,
    concurrency: e.ATRIUM_SANDBOX_CONCURRENCY,
    max_per_workspace: e.ATRIUM_MAX_SANDBOXES_PER_WORKSPACE,
    wheels: e.ATRIUM_SANDBOX_WHEELS,
    docker: engine === 'docker' ? { socket: e.ATRIUM_SANDBOX_DOCKER_SOCKET, image: e.ATRIUM_SANDBOX_IMAGE } : undefined,
    e2b: E2B_API_KEY ? { api_key: E2B_API_KEY, base_url: e.E2B_BASE_URL, template: e.E2B_TEMPLATE } : undefined,
    daytona: DAYTONA_API_KEY ? { api_key: DAYTONA_API_KEY, base_url: e.DAYTONA_BASE_URL } : undefined,
  };
}

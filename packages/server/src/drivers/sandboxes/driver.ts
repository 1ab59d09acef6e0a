import type { EndReason, Language, SandboxEngineName } from '@atrium/contract/sandboxes/engines.ts';

/** What separates the code in a sandbox from the host. `emulated`: a shell in JavaScript, without real programs. */
export type Isolation = 'machine' | 'kernel' | 'emulated';

/** The limits of one command, and of the files of one sandbox. */
export interface Limits {
  /** The longest time that a command may ask for. */
  wall_ms: number;
  cpu_seconds: number;
  memory_bytes: number;
  processes: number;
  file_bytes: number;
  disk_bytes: number;
  inodes: number;
  output_bytes: number;
}

export type LimitName = keyof Limits;

export interface Command {
  language: Language;
  code: string;
  /** The directory below the working directory; `''` for itself. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: string;
}

export interface Ended {
  /** Null when it was killed. */
  exit_code: number | null;
  reason: EndReason;
}

export type Output = { stream: 'stdout' | 'stderr'; data: Uint8Array } | { ended: Ended };

export interface SandboxSpec {
  /** A UUID. */
  id: string;
  persistent: boolean;
  /** Whether the sandbox reaches the public internet; it never reaches private addresses. */
  network: boolean;
}

/** The result of a self-test. */
export interface Probe {
  usable: boolean;
  isolation: Isolation;
  languages: readonly Language[];
  /** Whether the engine can give a sandbox access to the public internet. */
  network: boolean;
  /** The limits that this engine can't enforce. */
  unlimited: readonly LimitName[];
  /** How the engine enforces its limits (`memory by cgroup`), or why it is not usable and what would help. */
  note: string;
}

export interface Entry {
  /** The path below the working directory. */
  path: string;
  type: 'file' | 'directory' | 'link' | 'other';
  size: number;
  modified_at: Date;
}

/** The files of a sandbox. Paths lie below its working directory; the code inside can't make a path lead out of it. */
export interface SandboxFiles {
  list(ref: string, path: string): Promise<Entry[]>;
  read(ref: string, path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Makes missing directories. */
  write(ref: string, path: string, content: Uint8Array): Promise<Entry>;
  /** Removes a file, or a directory with its content. */
  remove(ref: string, path: string): Promise<void>;
}

/**
 * A sandbox engine. `ref` is the result of `create`; it is stored and stays valid after a restart. Commands of one
 * sandbox run one at a time, and processes that a command started end with it; only files stay.
 */
export interface SandboxDriver {
  readonly engine: SandboxEngineName;
  /** Runs a real command; never throws. */
  probe(): Promise<Probe>;
  create(spec: SandboxSpec): Promise<string>;
  /** Makes a stopped sandbox usable; does nothing when it runs. */
  start(ref: string): Promise<void>;
  /** Releases everything that an idle sandbox holds but its files. */
  stop(ref: string): Promise<void>;
  /** Removes the sandbox with all its files; does nothing when it is gone. */
  destroy(ref: string): Promise<void>;
  /**
   * The last output is always `ended`. An aborted signal kills the command, and its reason is the reason of the end.
   */
  exec(ref: string, command: Command, signal: AbortSignal): AsyncIterable<Output>;
  files: SandboxFiles;
  /** Ends all running commands. */
  close(): Promise<void>;
}

export type FileRefusal = 'missing' | 'not_a_file' | 'not_a_directory' | 'bad_path' | 'too_large' | 'full';

/** Why a file can't be read or written, in words for the caller. */
export class SandboxFileRefused extends Error {
  readonly code: FileRefusal;

  constructor(code: FileRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

/** The sandbox no longer exists: it was removed from outside, or its remote engine dropped it. */
export class SandboxGone extends Error {
  constructor() {
    super('The sandbox is gone');
  }
}

/** The engine can't be reached or misbehaves. */
export class EngineFailed extends Error {}

/** The engine that new sandboxes get, with the result of its self-test. */
export interface ChosenEngine extends Probe {
  engine: SandboxEngineName;
  /** How to get a better engine; empty when there is none. */
  advice: string;
}

/** The engines that are configured. */
export interface SandboxEngines {
  readonly limits: Limits;
  /** The engine for new sandboxes; the self-test runs at the first call. */
  chosen(): Promise<ChosenEngine>;
  /** The same without waiting; undefined until the self-test is done. */
  known(): ChosenEngine | undefined;
  /** The engine of an existing sandbox; undefined when it is no longer configured. */
  driver(engine: SandboxEngineName): SandboxDriver | undefined;
  /** Runs a command within the limits of time and output. */
  exec(
    driver: SandboxDriver,
    ref: string,
    command: Command,
    wall_ms: number,
    signal: AbortSignal,
  ): AsyncIterable<Output>;
  close(): Promise<void>;
}

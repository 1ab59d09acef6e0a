import type { EndReason, Language, SandboxEngineName } from '@atrium/contract/sandboxes/engines.ts';

/** What stands between the code in a sandbox and the machine. `emulated`: a shell of our own making, no real programs. */
export type Isolation = 'machine' | 'kernel' | 'emulated';

/** What one command may use, and what one sandbox may hold. */
export interface Limits {
  /** The longest a command may ask for. */
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
  /** Below the working directory, `''` for itself. */
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
  /** To the public internet, never to private addresses. */
  network: boolean;
}

/** What a self-test found. */
export interface Probe {
  usable: boolean;
  isolation: Isolation;
  languages: readonly Language[];
  /** Whether a sandbox can be given the public internet. */
  network: boolean;
  /** Limits that this engine can't keep; all others are kept. */
  unlimited: readonly LimitName[];
  /** How well it does it (`memory by cgroup`), or why it is not usable and what would help. */
  note: string;
}

export interface Entry {
  /** Below the working directory. */
  path: string;
  type: 'file' | 'directory' | 'link' | 'other';
  size: number;
  modified_at: Date;
}

/** The files of a sandbox. Paths lie below its working directory; none leads out of it, whatever the code inside does. */
export interface SandboxFiles {
  list(ref: string, path: string): Promise<Entry[]>;
  read(ref: string, path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Makes the directories above it. */
  write(ref: string, path: string, content: Uint8Array): Promise<Entry>;
  /** A directory with all that is in it. */
  remove(ref: string, path: string): Promise<void>;
}

/**
 * A kind of sandbox. `ref` is what `create` answered: it is stored and means the same after a restart. Commands of one
 * sandbox run one after the other, and whatever a command started ends with it; only files stay.
 */
export interface SandboxDriver {
  readonly engine: SandboxEngineName;
  /** Really runs something; never throws. */
  probe(): Promise<Probe>;
  create(spec: SandboxSpec): Promise<string>;
  /** Makes a stopped one usable; one that runs is fine. */
  start(ref: string): Promise<void>;
  /** Gives back what an idle sandbox holds but its files. */
  stop(ref: string): Promise<void>;
  /** With all its files; one that is gone is fine. */
  destroy(ref: string): Promise<void>;
  /** Ends with `ended`, always. An aborted signal kills the command; its reason is the reason of the end. */
  exec(ref: string, command: Command, signal: AbortSignal): AsyncIterable<Output>;
  files: SandboxFiles;
  /** Ends what still runs. */
  close(): Promise<void>;
}

export type FileRefusal = 'missing' | 'not_a_file' | 'not_a_directory' | 'bad_path' | 'too_large' | 'full';

/** Why a file of a sandbox can't be had, in words for whoever asked. */
export class SandboxFileRefused extends Error {
  readonly code: FileRefusal;

  constructor(code: FileRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

/** The sandbox is not there any more: removed behind our back, or its remote engine has let it go. */
export class SandboxGone extends Error {
  constructor() {
    super('The sandbox is gone');
  }
}

/** The engine can't be reached or does not do what it should. */
export class EngineFailed extends Error {}

/** The engine that new sandboxes get, and what is known of it. */
export interface ChosenEngine extends Probe {
  engine: SandboxEngineName;
  /** How to get a better one; empty when there is none better. */
  advice: string;
}

/** All engines that are configured here. */
export interface SandboxEngines {
  readonly limits: Limits;
  /** The outcome of the self-test, which is made once, when it is first asked for. */
  chosen(): Promise<ChosenEngine>;
  /** The same without waiting: undefined while it is not known. */
  known(): ChosenEngine | undefined;
  /** The engine of a sandbox that was made earlier; undefined when it is no longer configured. */
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

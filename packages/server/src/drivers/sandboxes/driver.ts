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

export interface TerminalSize {
  rows: number;
  cols: number;
}

/** The way into a terminal that is open. */
export interface TerminalHandle {
  /** Resolves when the terminal has taken the text. */
  write(text: string): Promise<void>;
  resize(size: TerminalSize): void;
}

/** Makes a command an interactive shell in a terminal: its language, code and input do not count. */
export interface TerminalRequest {
  size: TerminalSize;
  /** Called once, when the shell starts. */
  attach(handle: TerminalHandle): void;
}

export interface Command {
  language: Language;
  code: string;
  /** The directory below the working directory; `''` for itself. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: string;
  terminal?: TerminalRequest;
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
  /**
   * How many bytes the files take, by which the limit counts; undefined when there are too many files to count. Absent
   * where the engine has no limit for them.
   */
  usedBytes?(ref: string): Promise<number | undefined>;
}

/**
 * How the files of a sandbox get from one machine to another. Each stored state has an id; a mark beside the files says
 * which one they are.
 */
export interface SandboxSnapshots {
  /** The state that the files here began with; undefined when they are not here, or were never stored. */
  current(ref: string): Promise<string | undefined>;
  /** Differs after any change of the files here. Throws SandboxGone when they are not here. */
  fingerprint(ref: string): Promise<string>;
  /** Whether files with this fingerprint differ from the state that was marked last. */
  isChanged(ref: string, fingerprint: string): Promise<boolean>;
  /** Fails when a file becomes shorter meanwhile, and with SandboxFileRefused when there is more than a sandbox may have. */
  pack(ref: string): AsyncIterable<Uint8Array>;
  /**
   * Says that files with this fingerprint are of this state. To store files, take the fingerprint before they are
   * packed: what is written meanwhile then counts as a change.
   */
  mark(ref: string, id: string, fingerprint: string): Promise<void>;
  /** Makes the sandbox here, with these files in place of those that were here; they are not marked yet. */
  unpack(spec: SandboxSpec, stream: AsyncIterable<Uint8Array>): Promise<void>;
  /** The sandboxes that have files here, unchanged since a moment. */
  list(before: Date): Promise<string[]>;
}

/**
 * A sandbox engine. `ref` is the result of `create`; it is stored and stays valid after a restart. Commands of one
 * sandbox run one at a time, and processes that a command started end with it; only files stay.
 */
export interface SandboxDriver {
  readonly engine: SandboxEngineName;
  /** Whether commands may have a terminal. One that has runs beside the commands of its sandbox. */
  readonly has_terminals: boolean;
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
  /** Absent where the engine has the files at a place that all machines reach. */
  snapshots?: SandboxSnapshots;
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
  /** Runs a command with a terminal within the limit of output. */
  runTerminal(driver: SandboxDriver, ref: string, command: Command, signal: AbortSignal): AsyncIterable<Output>;
  close(): Promise<void>;
}

/** Metrics as one process hands them to another. */
export type ProcessMetrics = readonly object[];

/** The metrics of all processes of a machine. */
export interface MachineMetrics {
  /** Says how those of this process are read. */
  offer(read: () => Promise<ProcessMetrics>): void;
  /** Those of all processes, in the format of Prometheus. */
  gather(): Promise<string>;
  /** The memory of all processes in bytes. */
  sumMemory(): Promise<number>;
}

/** Given on the command line, where they win over postgresql.conf and ALTER SYSTEM. */
export const serverSettings: Record<string, string> = {
  // Acknowledged writes survive a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  // The owner alone. In a user namespace that is still our own uid as seen from outside, and root passes anyway.
  unix_socket_permissions: '0700',
  ssl: 'off',

  // Small at idle: no I/O workers and no replication launcher, and pages are touched only as they are used.
  shared_buffers: '64MB',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  huge_pages: 'off',
  jit: 'off',
  min_wal_size: '32MB',

  timezone: 'UTC',
  log_timezone: 'UTC',
  // We look for its messages in the log, so they are to be English.
  lc_messages: 'C',
  logging_collector: 'off',
  // No statements, values or routine checkpoints: the log grows slowly and holds no user data.
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

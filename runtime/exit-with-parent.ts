/**
 * Loaded before a part of the service (`--import`): when the supervisor is gone, however it ended, its channel closes,
 * and the part drains and ends as it does on SIGTERM.
 */
const GRACE_MS = 9000;

if (process.channel !== undefined) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), GRACE_MS).unref();
  });
  // Listening must not keep a process alive that has nothing else to do.
  process.channel.unref();
}

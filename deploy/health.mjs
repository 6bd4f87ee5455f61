// A container's health check: exit 0 if the address answers with 2xx. Plain Node, since the image has no curl.
const address = process.argv[2];
try {
  const response = await fetch(address, { signal: AbortSignal.timeout(4000) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
} catch (error) {
  console.error(`${address}: ${error.message}`);
  process.exit(1);
}

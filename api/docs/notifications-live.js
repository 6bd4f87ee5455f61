/** A connection to /ws/notifications that comes back, and misses nothing. */

const FIRST_MS = 500;
const MOST_MS = 30_000;
/** The token is no longer good; the company is closed to its user. */
const UNAUTHORIZED = 4401;
const FORBIDDEN = 4403;

/**
 * Stays connected until it is closed or its session ends. The token goes in the first message, never in the address.
 * @param session whose token it is
 * @param on `lastId()`: the last notification that the page has, after which it goes on; `message(message)`; `state(text, isLive)`;
 *   `ended(reason)`: it does not come back
 * @returns how to close it
 */
export function stayConnected(session, on) {
  let socket;
  let timer;
  let failures = 0;
  let isClosed = false;

  function open() {
    clearTimeout(timer);
    timer = undefined;
    on.state('Connecting …', false);
    socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/notifications`);
    socket.onopen = () => {
      const first = { type: 'auth', token: session.token, tenant_id: session.tenantId, last_id: on.lastId() };
      socket.send(JSON.stringify(first));
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type !== 'ready') return on.message(message);
      failures = 0;
      on.state('Live', true);
    };
    socket.onclose = ({ code, reason }) => void closed(code, reason);
  }

  async function closed(code, reason) {
    if (isClosed) return;
    if (code === FORBIDDEN || (code === UNAUTHORIZED && !(await isRenewed()))) {
      if (!isClosed) on.ended(reason);
      close();
      return;
    }
    if (isClosed) return;
    on.state('Disconnected; trying again …', false);
    const longest = Math.min(MOST_MS, FIRST_MS * 2 ** failures);
    failures += 1;
    // Not all pages at the same moment.
    timer = setTimeout(open, longest * (0.5 + Math.random() / 2));
  }

  /** Without an answer nobody knows: it is tried again. */
  async function isRenewed() {
    try {
      return await session.renew();
    } catch {
      return true;
    }
  }

  const online = () => timer !== undefined && open();
  const offline = () => socket.close();

  function close() {
    isClosed = true;
    clearTimeout(timer);
    removeEventListener('online', online);
    removeEventListener('offline', offline);
    socket.close();
  }

  addEventListener('online', online);
  addEventListener('offline', offline);
  open();
  return close;
}

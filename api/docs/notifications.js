/** The page /docs/notifications: signing in, the list as it grows, tasks, push. Texts of others are only ever set as text. */
import { stayConnected } from './notifications-live.js';
import { isPushOn, isPushPossible, turnPushOff, turnPushOn } from './notifications-push.js';
import { Session } from './notifications-session.js';

const PATH = '/api/notifications';
/** Precedes all notifications. */
const FROM_THE_FIRST = '00000000-0000-0000-0000-000000000000';
const MOST_SHOWN = 100;
const MOST_TASKS = 5;

const part = (id) => document.getElementById(id);
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

let session = null;
let disconnect = () => undefined;
let lastId = FROM_THE_FIRST;

on('login', 'submit', async () => {
  const signedIn = await Session.signIn(part('email').value.trim(), part('password').value);
  await enter(signedIn);
});
on('paste', 'submit', () =>
  enter(
    new Session({
      token: part('token')
        .value.trim()
        .replace(/^Bearer\s+/i, ''),
    }),
  ),
);
on('company', 'change', () => join(part('company').value));
on('sign-out', 'click', async () => {
  try {
    if (await isPushOn()) await turnPushOff(session);
  } finally {
    await session.end().finally(leave);
  }
});
on('read-all', 'click', async () => {
  await session.call('POST', `${PATH}/read-all`);
  for (const row of part('list').children) markRead(row);
  showUnread(0);
});
on('push', 'click', async () => {
  await ((await isPushOn()) ? turnPushOff(session) : turnPushOn(session));
  await showPush();
});

/** Does what an element is for, once at a time, and says what went wrong. */
function on(id, event, work) {
  const element = part(id);
  element.addEventListener(event, async (happened) => {
    happened.preventDefault();
    const button = happened.submitter ?? element;
    const hadFocus = document.activeElement === button;
    button.disabled = true;
    say('');
    try {
      await work();
    } catch (error) {
      say(error.message);
    } finally {
      button.disabled = false;
      // What is disabled loses the focus; people go on from where they were.
      if (hadFocus && isFocusLost()) button.focus();
    }
  });
}

function isFocusLost() {
  return document.activeElement === null || document.activeElement === document.body;
}

async function enter(entering) {
  const { user, tenant, tenants, apiKeyId } = await entering.call('GET', '/api/auth/me');
  session = entering;
  for (const id of ['email', 'password', 'token']) part(id).value = '';
  part('who').textContent =
    user === null ? `API key ${apiKeyId}, which hears of its tasks` : `${user.name} · ${user.email}`;
  part('company').replaceChildren(...tenants.map(({ id, name }) => new Option(name, id, false, id === tenant.id)));
  part('companies').hidden = tenants.length < 2;
  for (const id of ['push', 'read-all']) part(id).hidden = user === null;
  part('entrance').hidden = true;
  part('desk').hidden = false;
  // At once: the form that had the focus is gone.
  part('who').focus();
  await join(tenant.id, { isUser: user !== null });
}

/** Shows what is there in a company, then what comes. */
async function join(tenantId, { isUser = true } = {}) {
  disconnect();
  clear();
  session.tenantId = tenantId;
  if (isUser) {
    const { data, unread_count } = await session.call('GET', `${PATH}?limit=20`);
    for (const notification of data.reverse()) show(notification);
    showUnread(unread_count);
    await showPush();
  }
  disconnect = stayConnected(session, {
    lastId: () => lastId,
    message: hear,
    state: showState,
    ended: (reason) => {
      leave();
      say(`Signed out: ${reason || 'the session has ended'}`);
    },
  });
}

/** Back to the entrance, with nothing left of who was here. */
function leave() {
  disconnect();
  disconnect = () => undefined;
  session = null;
  clear();
  part('who').textContent = '';
  part('company').replaceChildren();
  part('desk').hidden = true;
  part('entrance').hidden = false;
  showState('Signed out', false);
  part('email').focus();
}

function clear() {
  lastId = FROM_THE_FIRST;
  part('list').replaceChildren();
  part('task-list').replaceChildren();
  part('tasks').hidden = true;
  part('none').hidden = false;
  showUnread(0);
}

function hear({ type, data, unread_count }) {
  if (type === 'task') return showTask(data);
  if (type === 'task_removed') return removeTask(data);
  if (type !== 'notification') return;
  show(data);
  showUnread(unread_count);
}

/** Puts a notification on top. */
function show({ id, type, title, body, read, action_url, created_at }) {
  if (id > lastId) lastId = id;
  const row = make('li', '', { id: `n-${id}`, className: read ? '' : 'unread' });
  row.append(
    make('strong', title),
    make('time', moment.format(new Date(created_at)), { dateTime: created_at }),
    make('p', body),
    make('code', [type, action_url].filter(Boolean).join(' · ')),
  );
  if (!read) row.append(markButton(row, id, title));
  part(row.id)?.remove();
  part('list').prepend(row);
  while (part('list').children.length > MOST_SHOWN) part('list').lastElementChild.remove();
  part('none').hidden = true;
}

function markButton(row, id, title) {
  const button = make('button', 'Mark as read', { type: 'button', ariaLabel: `Mark as read: ${title}` });
  button.addEventListener('click', async () => {
    const hadFocus = document.activeElement === button;
    button.disabled = true;
    try {
      await session.call('POST', `${PATH}/${id}/read`);
      markRead(row);
      if (hadFocus && isFocusLost()) nextButton(row).focus();
      showUnread((await session.call('GET', `${PATH}/unread-count`)).unread_count);
    } catch (error) {
      button.disabled = false;
      if (hadFocus && isFocusLost()) button.focus();
      say(error.message);
    }
  });
  return button;
}

/** Where to go on from a row whose button is gone: at the next unread one, else at the heading. */
function nextButton(row) {
  return part('list').querySelector(`#${row.id} ~ li button`) ?? part('list-title');
}

function markRead(row) {
  row.classList.remove('unread');
  row.querySelector('button')?.remove();
}

function showTask({ id, type, status, progress, message, error }) {
  const row = make('li', '', { id: `t-${id}` });
  const bar = make('progress', '', { max: 100, value: progress ?? 0, ariaLabel: `Progress of ${type}` });
  row.append(make('strong', `${type}: ${status}`), make('p', error ?? message ?? ''), bar);
  const known = part(row.id);
  if (known === null) part('task-list').prepend(row);
  else known.replaceWith(row);
  while (part('task-list').children.length > MOST_TASKS) part('task-list').lastElementChild.remove();
  part('tasks').hidden = false;
}

/** A task that was cancelled or deleted. */
function removeTask({ id }) {
  part(`t-${id}`)?.remove();
  part('tasks').hidden = part('task-list').children.length === 0;
}

async function showPush() {
  const isOn = await isPushOn();
  part('push').ariaPressed = String(isOn);
  part('push').textContent = isOn ? 'Turn off push' : 'Turn on push';
  part('push').title = isPushPossible() ? '' : 'This browser has no Web Push here; it needs https://';
}

function showUnread(count) {
  part('unread').hidden = count === 0;
  part('unread').textContent = `${count} unread`;
  document.title = count === 0 ? 'Notifications' : `(${count}) Notifications`;
}

function showState(text, isLive) {
  part('state').textContent = text;
  part('state').className = isLive ? 'live' : '';
}

function say(text) {
  part('problem').textContent = text;
}

function make(name, text, members = {}) {
  const element = Object.assign(document.createElement(name), members);
  if (text !== '') element.textContent = text;
  return element;
}

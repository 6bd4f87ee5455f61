/** The landing page of invitation links, for companies without their own application. */
import { PASSWORD_MIN } from '../../../domain/access/accounts/password.ts';
import { binary } from '../../../services/platform/validation/schemas.ts';
import { Packed } from '../../packed.ts';
import { defineRoute, type Route } from '../../route.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Invitation</title>
<link rel="icon" href="data:,">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
input, button { padding: .6rem; margin: .25rem 0 1rem; }
#message:not(:empty) { border-left: .3rem solid #888; padding-left: .7rem; }
</style>
</head>
<body>
<h1 id="title">Invitation</h1>
<p id="message" role="status"></p>
<form id="form">
<div id="new" hidden>
<label for="password" id="label"></label>
<input id="password" type="password" autocomplete="new-password" minlength="${PASSWORD_MIN}" maxlength="256">
</div>
<button id="accept" type="submit">Accept</button>
<button id="decline" type="button">Decline</button>
</form>
<noscript>This page needs JavaScript. The code in your mail can also be sent to POST /api/auth/invitations/accept.</noscript>
<script src="/invitations/page.js"></script>
</body>
</html>
`;

/** Reads the token after the \`#\`, which browsers do not send, so no log contains it. */
const SCRIPT = `(() => {
  const token = location.hash.slice(1);
  const spanish = navigator.language.startsWith('es');
  const words = spanish
    ? { title: 'Invitación', accept: 'Aceptar', decline: 'Rechazar', label: 'Elija una contraseña (${PASSWORD_MIN} caracteres o más)',
        choose: 'Elija una contraseña para su cuenta.', done: 'Ya forma parte de ', login: '. Puede iniciar sesión.',
        declined: 'Ha rechazado la invitación.', none: 'Abra esta página desde el enlace de su correo.',
          failed: 'No hay respuesta; inténtelo de nuevo.' }
    : { title: 'Invitation', accept: 'Accept', decline: 'Decline', label: 'Choose a password (${PASSWORD_MIN} characters or more)',
        choose: 'Choose a password for your account.', done: 'You are now a member of ', login: '. You can log in.',
        declined: 'You have declined the invitation.', none: 'Open the link in your mail.', failed: 'No answer; try again.' };
  const part = (id) => document.getElementById(id);
  const say = (text) => { part('message').textContent = text; };
  for (const id of ['title', 'accept', 'decline', 'label']) part(id).textContent = words[id];
  document.documentElement.lang = spanish ? 'es' : 'en';
  if (token === '') { part('form').hidden = true; say(words.none); return; }

  async function answer(what, more) {
    try {
      const response = await fetch('/api/auth/invitations/' + what, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token, ...more }),
      });
      const body = response.status === 204 ? {} : await response.json();
      if (response.ok) {
        part('form').hidden = true;
        say(what === 'accept' ? words.done + body.data.tenantName + words.login : words.declined);
      } else if (body.errors?.[0]?.code === 'required') {
        part('new').hidden = false;
        part('password').required = true;
        part('password').focus();
        say(words.choose);
      } else say(body.detail);
    } catch { say(words.failed); }
  }
  part('form').addEventListener('submit', (event) => {
    event.preventDefault();
    const password = part('password').value;
    answer('accept', password === '' ? {} : { password });
  });
  part('decline').addEventListener('click', () => answer('decline', {}));
})();
`;

const page = packed(PAGE, 'text/html');
const script = packed(SCRIPT, 'text/javascript');

function packed(text: string, type: string): Packed {
  return new Packed(() => text, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
  });
}

export const invitationPages: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/invitations',
    id: 'invitationPage',
    summary: 'The page that links in invitations open',
    description: 'An HTML page. The token follows the #, which browsers do not send.',
    tag: 'Invitations',
    access: 'public',
    responses: { 200: binary('text/html') },
    headers: ['ETag'],
    whole: true,
    handler: ({ accepts }) => page.answer(accepts),
  }),
  defineRoute({
    method: 'GET',
    path: '/invitations/page.js',
    id: 'invitationPageScript',
    summary: 'Part of the page at /invitations',
    description: 'A file that the page loads.',
    tag: 'Invitations',
    access: 'public',
    responses: { 200: binary('text/javascript') },
    headers: ['ETag'],
    whole: true,
    handler: ({ accepts }) => script.answer(accepts),
  }),
];

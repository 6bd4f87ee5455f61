/** Shows what is pushed to this browser, and opens the page on a click. */

const PAGE = '/docs/notifications';

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { notification_id: tag, title, body } = event.data.json();
  // A repeated push takes the place of the first.
  event.waitUntil(self.registration.showNotification(title, { body, tag }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show());
});

async function show() {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find(({ url }) => new URL(url).pathname === PAGE);
  await (open === undefined ? self.clients.openWindow(PAGE) : open.focus());
}

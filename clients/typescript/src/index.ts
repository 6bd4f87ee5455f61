/** Client of the business management service. */
export { type Client, type ClientOptions, createClient } from './client.ts';
export * from './errors.ts';
export type { DownloadedFile, Upload } from './files.ts';
export type { components } from './generated/schema.ts';
export { Listing, type Page, type Pagination } from './listing.ts';
export type * from './methods.ts';
export type { Notification, Socket, SocketClass } from './notifications.ts';
export type { Credentials, Tokens } from './session.ts';
export type { Started, Task, WaitOptions } from './tasks.ts';
export type { RequestOptions } from './transport.ts';
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookRequest } from './webhooks.ts';

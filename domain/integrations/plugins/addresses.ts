/** Builds the address of a plugin's action. @param baseUrl with or without a trailing slash; its query is kept */
export function actionAddress(baseUrl: string, action: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/actions/${encodeURIComponent(action)}`;
  return url.href;
}

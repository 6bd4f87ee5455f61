/** The address at which a plugin does an action. @param baseUrl with or without a slash at its end; its query stays */
export function actionAddress(baseUrl: string, action: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/actions/${encodeURIComponent(action)}`;
  return url.href;
}

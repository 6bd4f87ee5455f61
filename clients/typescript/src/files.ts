/** Files that the service sends, as streams. */

export interface DownloadedFile {
  /** The name that the service gives it; undefined if it gives none. */
  readonly name: string | undefined;
  readonly type: string;
  /** Its bytes as they arrive. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** All bytes. The stream can be read once: either this or `stream`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  text(): Promise<string>;
}

/** Contents that may be uploaded. A file of the browser or a Blob is sent with its type. */
export type Upload = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string;

export function toFile(response: Response): DownloadedFile {
  const type = response.headers.get('Content-Type') ?? 'application/octet-stream';
  return {
    name: fileName(response.headers.get('Content-Disposition') ?? ''),
    type,
    stream: response.body ?? new ReadableStream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
  };
}

function fileName(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? /filename="([^"]*)"/i.exec(disposition)?.[1] : decodeURIComponent(encoded);
}

/** The form of an upload. @param name with which it is kept */
export function toForm(file: Upload, name: string): FormData {
  const form = new FormData();
  form.append('file', file instanceof Blob ? file : new Blob([file]), name);
  return form;
}

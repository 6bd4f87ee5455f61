const EVERY_MS = 15_000;

/**
 * Tells the user that a long step begins, every 15 seconds that it still runs, and how long it took.
 * @param label what is done, and how long it usually takes
 */
export async function withProgress<T>(
  label: string,
  print: (line: string) => void,
  step: () => Promise<T>,
): Promise<T> {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const short = label.replace(/ \(.*\)$/, '');
  print(label);
  const timer = setInterval(() => print(`${short}: still at it after ${seconds()}`), EVERY_MS);
  try {
    const result = await step();
    print(`${short}: done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

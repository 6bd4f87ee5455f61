const EVERY_MS = 15_000;

/**
 * Informs the user when a long step begins, every 15 seconds while it runs, and how long it took.
 * @param label describes the step, and how long it usually takes
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
  const timer = setInterval(() => print(`${short}: still running after ${seconds()}`), EVERY_MS);
  try {
    const result = await step();
    print(`${short}: done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

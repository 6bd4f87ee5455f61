/** Unpacks the Chromium of the npm package. A separate process, because only TMPDIR can tell the package where. */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();

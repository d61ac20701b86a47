/** Versions that the demo's machines run at the start: those of `releases.ts` and an old one. */
export const runningFirmware = ['4.12.0.1042', '4.12.0.1042', '4.11.3.987', '4.12.1.1060', '4.9.7.720'] as const

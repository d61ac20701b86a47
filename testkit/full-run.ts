/** `npm run test:full`: flows of the usual run then try all variants, and look at each screen on the way. */
export const isFullRun = process.env.TEST_RUN === 'full'

import { randomInt } from 'node:crypto'
import type { Aim } from './aim.ts'

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofScreen = ({ merchantId, screenConfigurationId }: Aim) => ({ params: { merchantId, screenConfigurationId } })
const ofFile = ({ merchantId, screenFileId }: Aim) => ({ params: { merchantId, screenFileId } })

/** Sample calls of screens beside those of their record. */
export const screenSamples = {
  listScreenVersions: { input: ofScreen },
  getScreenVersion: {
    input: (aim: Aim) => ({ params: { ...ofScreen(aim).params, version: 1 } }),
  },
  sendScreenConfiguration: {
    input: (aim: Aim) => ({ ...ofScreen(aim), body: { version: 1, machines: { ids: [aim.posId] } } }),
  },
  listScreenMachines: { input: ofScreen },
  listScreenFiles: { input: ofMerchant },
  createScreenFile: {
    input: (aim: Aim) => ({ ...ofMerchant(aim), body: { name: 'Idle', kind: 'picture', bytes: 10 } }),
  },
  // A complete file: the part is stored already.
  putScreenFilePart: {
    input: (aim: Aim) => ({ params: { ...ofFile(aim).params, part: 0 }, body: { data: 'AAAA' } }),
  },
  // Its bytes are missing: the call is permitted, and answered as not found.
  getScreenFileContent: { input: ofFile },
  deleteScreenFile: { input: ofFile },
  listWhitelist: { input: ofMerchant },
  addToWhitelist: {
    input: (aim: Aim) => ({ ...ofMerchant(aim), body: { serials: [`A${randomInt(1e12)}`] } }),
  },
  removeFromWhitelist: {
    input: ({ merchantId, whitelistEntryId }: Aim) => ({ params: { merchantId, whitelistEntryId } }),
  },
  getScreenStorage: { input: ofMerchant },
  // Nothing listens there: the call is permitted, and the storage refused.
  updateScreenStorage: {
    input: (aim: Aim) => ({
      ...ofMerchant(aim),
      body: { version: 0, username: 'screens', password: 'secret', url: 'http://127.0.0.1:9/' },
    }),
  },
  deleteScreenStorage: { input: ofMerchant },
}

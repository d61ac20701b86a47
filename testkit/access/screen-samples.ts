import { randomInt } from 'node:crypto'
import type { Aim } from './aim.ts'

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofScreen = ({ merchantId, screenConfigurationId }: Aim) => ({ params: { merchantId, screenConfigurationId } })
const ofFile = ({ merchantId, screenFileId }: Aim) => ({ params: { merchantId, screenFileId } })

const aScreen = ({ productId, screenFileId: fileId }: Aim) => ({
  name: `Screen ${randomInt(1e12)}`,
  size: 'portrait10',
  languages: ['it'],
  idle: { kind: 'pictures', fileIds: [fileId] },
  pages: [{ titles: {}, buttons: [{ selection: '1', productId, picture: 'file', fileId }] }],
})

/** Sample calls of screens beside those of their record. */
export const screenSamples = {
  createScreenConfiguration: { input: (aim: Aim) => ({ ...ofMerchant(aim), body: aScreen(aim) }) },
  updateScreenConfiguration: { input: (aim: Aim) => ({ ...ofScreen(aim), body: { ...aScreen(aim), version: 1 } }) },
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
  // A complete file: its part is stored already.
  putScreenFilePart: {
    input: (aim: Aim) => ({ params: { ...ofFile(aim).params, part: 0 }, body: { data: 'AAAA' } }),
  },
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
  // The version was never stored: the call is permitted, and refused as outdated.
  updateScreenStorage: {
    input: (aim: Aim) => ({
      ...ofMerchant(aim),
      body: { version: 99, username: 'screens', password: 'secret', url: 'http://127.0.0.1:9/' },
    }),
  },
  deleteScreenStorage: { input: ofMerchant },
}

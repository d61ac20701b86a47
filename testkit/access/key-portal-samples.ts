import { randomUUID } from 'node:crypto'
import { aPng, portalSlugOf } from '../nouns/key-portal.ts'
import type { Aim } from './aim.ts'

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofPortal = ({ merchantId }: Aim) => ({ params: { portalSlug: portalSlugOf(merchantId) } })
const ofPost = ({ blogPostId }: Aim) => ({ params: { blogPostId } })
const ofClaim = ({ merchantId, claimId }: Aim) => ({ params: { merchantId, claimId } })
const texts = { it: '<p>Testo</p>', en: '<p>Text</p>' }
const aPost = () => ({ title: texts, slug: `a-${randomUUID()}`, excerpt: texts, content: texts, visibility: 1 })
const logo = aPng(10, 10)
const upload = { query: { name: 'logo.png', bytes: logo.length }, file: logo }

/** Sample calls of customers' portals. */
export const keyPortalSamples = {
  getPortal: { input: ofPortal },
  getPortalContacts: { input: ofPortal },
  getPortalPrivacy: { input: ofPortal },
  getPortalServices: { input: ofPortal },
  listPortalBlogPosts: { input: ofPortal },
  getPortalBlogPost: {
    input: (aim: Aim) => ({ params: { ...ofPortal(aim).params, blogSlug: `post-${aim.blogPostId}` } }),
  },
  getPortalFile: { input: (aim: Aim) => ({ params: { ...ofPortal(aim).params, fileId: aim.portalFileId } }) },
  getPortalSettings: { input: ofMerchant },
  updatePortalSettings: {
    input: (aim: Aim) => ({
      ...ofMerchant(aim),
      body: {
        version: 1,
        slug: portalSlugOf(aim.merchantId),
        name: 'A portal',
        colour: '#123456',
        isPublished: true,
        contacts: texts,
        privacy: texts,
        logoId: aim.portalFileId,
      },
    }),
  },
  uploadPortalFile: {
    input: (aim: Aim) => ({ ...ofMerchant(aim), ...upload, query: { ...upload.query, use: 'logo' } }),
  },
  getPortalFileContent: {
    input: ({ merchantId, portalFileId }: Aim) => ({ params: { merchantId, portalFileId } }),
  },
  getPortalPreview: { input: ofMerchant },
  listClaims: { input: ({ merchantId, posId }: Aim) => ({ params: { merchantId }, query: { posIds: [posId] } }) },
  getClaim: { input: ofClaim },
  listClaimSales: {
    input: ({ merchantId, posId }: Aim) => ({
      params: { merchantId, posId },
      query: { at: new Date().toISOString() },
    }),
  },
  createClaim: {
    input: ({ merchantId, posId }: Aim) => ({
      params: { merchantId },
      body: {
        id: randomUUID(),
        posId,
        happenedAt: new Date().toISOString(),
        amount: 100,
        currency: 'EUR',
        paidBy: 'cash',
        text: 'It kept my money',
      },
    }),
  },
  refundClaim: {
    input: (aim: Aim) => ({
      ...ofClaim(aim),
      body: { amount: 100, currency: 'EUR', mediaId: aim.mediaId, isWithoutSale: true },
    }),
  },
  answerClaim: { input: (aim: Aim) => ({ ...ofClaim(aim), body: { state: 'refused', answer: 'No fault was found' } }) },
  listBlogPosts: { input: () => ({}) },
  getBlogPost: { input: ofPost },
  getBlogSlug: { input: () => ({ query: { title: 'A post' } }) },
  createBlogPost: { input: () => ({ body: aPost() }) },
  updateBlogPost: { input: (aim: Aim) => ({ ...ofPost(aim), body: { ...aPost(), version: 1 } }) },
  deleteBlogPost: { input: ofPost },
  uploadBlogFile: { input: () => upload },
  getBlogFileContent: { input: ({ blogFileId }: Aim) => ({ params: { blogFileId } }) },
}

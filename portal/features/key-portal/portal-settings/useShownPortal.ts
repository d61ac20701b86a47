/* oxlint-disable react/hooks, react-hooks/rules-of-hooks -- the number of files is fixed */
import { useMemo } from 'react'
import type { PortalPicture } from '#contract/key-portal/portal.ts'
import { type PortalPreview, portalSettings } from '#contract/key-portal/portal-settings.ts'
import { useFileUrl } from '../useFileUrl.ts'
import type { ShownPortal } from './KeyFrame.tsx'

/** A preview with pictures that this page has loaded: those of an unpublished portal have no public address. */
export function useShownPortal(merchantId: string, preview: PortalPreview | undefined): ShownPortal | undefined {
  const urlOf = (id: string | null | undefined) =>
    // The ids stay in their order: each call is one hook.
    useFileUrl(portalSettings.getPortalFileContent, { merchantId, portalFileId: id ?? '' }, id)
  const logo = urlOf(preview?.logoId)
  const appLogo = urlOf(preview?.appLogoId)
  const ingredients = urlOf(preview?.ingredientsId)
  return useMemo(() => {
    if (!preview) return undefined
    const withUrl = (picture: PortalPicture | null, url: string | undefined) =>
      picture && url ? { ...picture, url } : null
    const { portal, contacts, privacy, posts } = preview
    return {
      portal: {
        ...portal,
        logo: withUrl(portal.logo, logo),
        appLogo: withUrl(portal.appLogo, appLogo),
        ingredientsUrl: ingredients ?? null,
      },
      contacts,
      privacy,
      posts,
    }
  }, [preview, logo, appLogo, ingredients])
}

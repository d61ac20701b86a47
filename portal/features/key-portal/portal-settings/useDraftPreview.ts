import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type NewPortalSettings, type PortalFile, portalSettings } from '#contract/key-portal/portal-settings.ts'
import { queryOf } from '#portal/app/api.ts'
import { draftPreview } from './draftPreview.ts'
import { useShownPortal } from './useShownPortal.ts'

export interface Draft {
  merchantId: string
  values: NewPortalSettings
  files: readonly PortalFile[]
}

/** What the customers' app shows with the values of the form, before they are saved. */
export function useDraftPreview({ merchantId, values, files }: Draft) {
  const { data, error, refetch } = useQuery(queryOf(portalSettings.getPortalPreview, { params: { merchantId } }))
  const draft = useMemo(() => data && draftPreview(data, values, files), [data, values, files])
  return { preview: useShownPortal(merchantId, draft), error: data ? null : error, refetch }
}

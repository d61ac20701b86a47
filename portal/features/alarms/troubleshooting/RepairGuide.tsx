import { Box, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { masterAlarms } from '#contract/alarms/troubleshooting.ts'
import { cleanRichText } from '#contract/rules/rich-text.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { kindOf } from '#domain/alarms/troubleshooting.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { guidePlace } from './guidePlace.ts'
import classes from './RepairGuide.module.css'

/** Links open outside the portal, in a new window; clean text contains them in one form only. */
const guideHtml = (html: string) =>
  cleanRichText(html).replaceAll('<a href=', '<a target="_blank" rel="noopener noreferrer" href=')

/**
 * The troubleshooting text of an alarm code, in the reader's language or, marked, in the next best. Hidden if there is
 * none.
 */
export default function RepairGuide({ code }: { code: string }) {
  const { t } = useTranslation('alarm')
  const format = useFormat()
  const language = format.language as Language
  const { me } = useSession()
  const { data: guide } = useQuery(queryOf(masterAlarms.getRepairGuide, { params: { code }, query: { language } }))
  const mayWrite = Boolean(me && roleMay(me.role, 'troubleshooting.write'))
  if (guide === null && !mayWrite) return null
  const nameOf = (language: string) => new Intl.DisplayNames(format.locale, { type: 'language' }).of(language)
  return (
    <DrawerPart name={t('guide.title')}>
      {guide === undefined && <Skeleton height={72} />}
      {guide && guide.language !== language && (
        <Text mb="near" c="dimmed" fz="fine" lh="fine">
          {t('guide.otherLanguage', { wanted: nameOf(language), shown: nameOf(guide.language) })}
        </Text>
      )}
      {guide && (
        // Cleaned by the server on saving, and here again by the same allow-list.
        <Box
          lh="21px"
          className={`${classes.text} breaks`}
          lang={guide.language}
          dangerouslySetInnerHTML={{ __html: guideHtml(guide.content) }}
        />
      )}
      {guide === null && (
        <Text mb="near" c="dimmed" fz="fine" lh="fine">
          {t('guide.none')}
        </Text>
      )}
      {mayWrite && guide !== undefined && (
        <PlaceLink place={guidePlace(guide?.code ?? kindOf(code).code)} className={`${classes.edit} inks`}>
          {t(guide ? 'guide.edit' : 'guide.write')}
        </PlaceLink>
      )}
    </DrawerPart>
  )
}

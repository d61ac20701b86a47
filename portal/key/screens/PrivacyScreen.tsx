import { useTranslation } from 'react-i18next'
import { portals } from '#contract/key-portal/portal.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { useAnswer } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { Answer } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Prose } from '../ui/Prose.tsx'

export function PrivacyScreen() {
  const { t, i18n } = useTranslation('key-app')
  const privacy = useAnswer(portals.getPortalPrivacy, {
    params: { portalSlug: slug },
    query: { language: i18n.language as Language },
  })
  return (
    <Page title={t('privacy.title')} back="/help">
      <Answer answer={privacy}>{({ html, language }) => <Prose html={html} language={language} />}</Answer>
    </Page>
  )
}

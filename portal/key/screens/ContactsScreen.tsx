import { IconMail, IconPhone, IconWorld } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { portals } from '#contract/key-portal/portal.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { useAnswer } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { Answer } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Prose } from '../ui/Prose.tsx'
import { Card } from '../ui/parts.tsx'

export function ContactsScreen() {
  const { t, i18n } = useTranslation('key-app')
  const contacts = useAnswer(portals.getPortalContacts, {
    params: { portalSlug: slug },
    query: { language: i18n.language as Language },
  })
  return (
    <Page title={t('contacts.title')} back="/help">
      <Answer answer={contacts}>
        {({ phone, email, website, html, language }) => (
          <>
            {(phone || email || website) && (
              <Card className="list">
                {phone && (
                  <ContactRow
                    href={`tel:${phone}`}
                    icon={<IconPhone aria-hidden />}
                    name={t('contacts.phone')}
                    value={phone}
                  />
                )}
                {email && (
                  <ContactRow
                    href={`mailto:${email}`}
                    icon={<IconMail aria-hidden />}
                    name={t('contacts.email')}
                    value={email}
                  />
                )}
                {website && (
                  <ContactRow
                    href={website}
                    icon={<IconWorld aria-hidden />}
                    name={t('contacts.website')}
                    value={website.replace(/^https?:\/\/|\/$/g, '')}
                  />
                )}
              </Card>
            )}
            <Prose html={html} language={language} />
          </>
        )}
      </Answer>
    </Page>
  )
}

const ContactRow = ({
  href,
  icon,
  name,
  value,
}: {
  href: string
  icon: React.ReactNode
  name: string
  value: string
}) => (
  <a className="row" href={href} rel="noreferrer" {...(href.startsWith('http') && { target: '_blank' })}>
    <span className="icon">{icon}</span>
    <span className="texts">
      <small>{name}</small>
      <strong>{value}</strong>
    </span>
  </a>
)

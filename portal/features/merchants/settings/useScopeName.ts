import { useTranslation } from 'react-i18next'
import { isReading, subjectOf, type TokenScope } from '#contract/merchants/token-scope.ts'

/** Names a scope in a list of both kinds: what it reads by its subject alone, and that it may change it. */
export function useScopeName(): (scope: TokenScope) => string {
  const { t } = useTranslation('settings')
  return (scope) => {
    const what = t(`scope.${subjectOf(scope)}`)
    return isReading(scope) ? what : t('token.changing', { what })
  }
}

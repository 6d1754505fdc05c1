//! The name that was probably meant.

/// How many candidates are compared: there can be thousands of partitions.
const MOST_CANDIDATES: usize = 500;

/// The candidate that differs least from `word`, if it differs little.
pub(super) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    let word: Vec<char> = word.chars().take(64).flat_map(char::to_lowercase).collect();
    let most = word.len().div_ceil(3).clamp(1, 4);
    candidates
        .into_iter()
        .take(MOST_CANDIDATES)
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|&(distance, _)| distance <= most)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// Levenshtein distance: characters to insert, remove or change. `-`, `_` and `.` count as one character.
fn distance(word: &[char], candidate: &str) -> usize {
    let same = |a: char, b: char| a == b || ("-_.".contains(a) && "-_.".contains(b));
    let candidate: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
    let mut row: Vec<usize> = (0..=candidate.len()).collect();
    for (i, &a) in word.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in candidate.iter().enumerate() {
            let changed = diagonal + usize::from(!same(a, b));
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[candidate.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let names = ["session.timeout.ms", "heartbeat.interval.ms", "name"];
        assert_eq!(nearest("session_timeout_ms", names).as_deref(), Some("session.timeout.ms"));
        assert_eq!(nearest("sesion.timeout.ms", names).as_deref(), Some("session.timeout.ms"));
        assert_eq!(nearest("Name", names).as_deref(), Some("name"));
        assert_eq!(nearest("acks", names), None);
    }
}

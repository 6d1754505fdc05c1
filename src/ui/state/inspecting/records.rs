//! The table of records: which are wanted, in which order, and which of them are seen.

use crate::scene::records::{Column, Direction, Kind, Of, Query};
use std::rc::Rc;

/// The state of the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// What is wanted.
    pub query: Query,
    /// The page that was turned to; nothing for that of the selected record. There may be fewer pages at another step.
    pub page: Option<usize>,
}

/// What a person asks of the table.
#[derive(Clone, Debug, PartialEq)]
pub enum AskedOfRecords {
    /// Finds a text.
    Find(Rc<str>),
    /// Leaves out what has become something else.
    Keep(Option<Kind>),
    /// Leaves out what is of something else.
    Of(Option<Of>),
    /// Orders by a column; once more, the other way.
    Order(Column),
    /// Turns to a page.
    Page(usize),
    /// Leaves out nothing any more.
    ShowAll,
}

impl Records {
    /// Does what was asked for.
    #[inline(never)]
    pub fn apply(&mut self, asked: AskedOfRecords) {
        // Something else stands on the page.
        self.page = None;
        match asked {
            AskedOfRecords::Find(text) => self.query.text = text,
            AskedOfRecords::Keep(kind) => self.query.kind = kind,
            AskedOfRecords::Of(of) => self.query.of = of,
            AskedOfRecords::Order(column) => {
                self.query.by = match self.query.by {
                    (by, Direction::Ascending) if by == column => (column, Direction::Descending),
                    _ => (column, Direction::Ascending),
                }
            }
            AskedOfRecords::Page(page) => self.page = Some(page),
            AskedOfRecords::ShowAll => self.query = Query { by: self.query.by, ..Query::default() },
        }
    }
}
